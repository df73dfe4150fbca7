"""Every address of the project. Closed unless its view says `login_not_required`
(`casino/people/middleware.py`).
"""

from typing import Any

from django.contrib import admin
from django.urls import URLPattern, include, path

from casino.audit import transfers
from casino.cage import chips_asked, differences_asked, inventory_asked
from casino.demo import secrets, style_page
from casino.devices import entry
from casino.devices import views as devices_views
from casino.devices.kinds import DISPLAYS, TABLETS
from casino.display import views as display_views
from casino.home import first_steps_views, homes_views
from casino.ops import error_pages, health, unavailable
from casino.people import views, web_app
from casino.people.pages import asked
from casino.people.pages.steps import Page, take_step
from casino.pit import jackpot_asked, people_asked, rule_asked, seals_asked, table_asked
from casino.rulesets import matrix
from casino.rulesets import views as posted
from casino.tablet import count as tablet_count
from casino.tablet import round as tablet_round
from casino.tablet import views as tablet_views


def signed(place: str, kind: asked.Kind) -> list[URLPattern]:
    """What is asked for is read, signed and turned down below this place."""
    page = asked.page_of(kind)
    return [
        path(f"{place}<uuid:pk>/", asked.asked, {"page": page}, name=kind.view),
        *steps(f"{place}<uuid:pk>/", page, kind.view),
    ]


def steps(place: str, page: Page[Any], names: str) -> list[URLPattern]:
    """The steps of a page, each below this place with a name of its own."""
    return [
        path(f"{place}{step}/", take_step, {"step": step, "page": page}, name=f"{names}-{step}")
        for step in page.steps
    ]


urlpatterns = [
    path("", homes_views.home, name="home"),
    path("home/<slug:role>/", homes_views.role_home, name="role-home"),
    path("ready-for-tonight/", homes_views.ready_for_tonight, name="ready-for-tonight"),
    path("waits-for-you/", homes_views.waits_for_you, name="waits-for-you"),
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-in/demo/", secrets.demo_codes, name="demo-codes"),
    path("sign-in/password/", views.own_password, name="own-password"),
    path("sign-in/authenticator/", views.enrolment, name="enrolment"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("password/", views.password, name="password"),
    path("style/", style_page.style, name="style"),
    path("house/", views.house, name="house"),
    path("language/", views.language, name="language"),
    path("manifest/<slug:screen>/", web_app.manifest, name="manifest"),
    path("favicon.ico", web_app.favicon, name="favicon"),
    path("posted-tables/", posted.tables, name="posted-tables"),
    path("posted-tables/new/<slug:code>/", posted.new, name="posted-new"),
    path("posted-tables/<uuid:pk>/", posted.version, name="posted-table"),
    path("posted-tables/<uuid:pk>/compare/<uuid:other>/", posted.compare, name="posted-compare"),
    path("posted-tables/<uuid:pk>/edit/", posted.edit, name="posted-edit"),
    path("posted-tables/<uuid:pk>/copy/", posted.copy, name="posted-copy"),
    *steps("posted-tables/<uuid:pk>/", posted.PAGE, "posted"),
    path("first-steps/", first_steps_views.first_steps_page, name="first-steps"),
    path(
        "first-steps/<slug:step>/",
        take_step,
        {"page": first_steps_views.PAGE},
        name="first-steps-step",
    ),
    path("approval-rules/", matrix.matrix, name="approval-rules"),
    path("approval-rules/<str:action>/", matrix.ask, name="approval-rule"),
    *signed("approval-rules/asked/", rule_asked.KIND),
    *signed("people/asked/", people_asked.KIND),
    *signed("people/sign-ins/", people_asked.SEEN),
    *signed("transfers/asked/", transfers.KIND),
    *signed("jackpots/asked/", jackpot_asked.KIND),
    *signed("seals/asked/", seals_asked.KIND),
    *signed("tables/asked/", table_asked.KIND),
    *signed("cage/chips/asked/", chips_asked.KIND),
    *signed("cage/differences/asked/", differences_asked.KIND),
    *signed("cage/inventory/asked/", inventory_asked.KIND),
    path("cage/", include("casino.cage.urls")),
    path("pin/", devices_views.own_pin, name="own-pin"),
    path("pins/", devices_views.locked_pins, name="locked-pins"),
    path("pins/<uuid:pk>/unlock/", devices_views.unlock_pin, name="unlock-pin"),
    path("devices/", devices_views.device_list, name="devices"),
    path("devices/code/", devices_views.code_make, {"kind": TABLETS}, name="device-code"),
    path("devices/feed/", devices_views.feed_enrol, name="device-feed"),
    path("devices/display/", devices_views.code_make, {"kind": DISPLAYS}, name="device-display"),
    path("devices/<uuid:pk>/require/", devices_views.require, name="device-require"),
    path("devices/<uuid:pk>/revoke/", devices_views.revoke, name="device-revoke"),
    path("devices/<uuid:pk>/free/", devices_views.free, name="device-free"),
    path("tablet/", entry.start, {"entry": tablet_views.ENTRY}, name="tablet"),
    path("tablet/enrol/", entry.enrol, {"entry": tablet_views.ENTRY}, name="tablet-enrol"),
    path("tablet/worker.js", tablet_round.worker, name="tablet-worker"),
    path("tablet/demo/", entry.demo, {"entry": tablet_views.ENTRY}, name="tablet-demo"),
    path("tablet/<uuid:device_id>/", tablet_views.device, name="tablet-device"),
    path("tablet/<uuid:device_id>/sign-in/", tablet_views.sign_in, name="tablet-sign-in"),
    path("tablet/<uuid:device_id>/here/", tablet_views.presence, name="tablet-here"),
    path("tablet/<uuid:device_id>/idle/", tablet_views.idle, name="tablet-idle"),
    path("tablet/<uuid:device_id>/touched/", tablet_views.touched, name="tablet-touched"),
    path("tablet/<uuid:device_id>/wake/", tablet_views.wake, name="tablet-wake"),
    path("tablet/<uuid:device_id>/sign-out/", tablet_views.sign_out, name="tablet-sign-out"),
    path("tablet/<uuid:device_id>/count/", tablet_count.count_page, name="tablet-count"),
    path("tablet/<uuid:device_id>/hand-over/", tablet_views.hand_over, name="tablet-hand-over"),
    path("tablet/<uuid:device_id>/language/", tablet_views.language, name="tablet-language"),
    path("display/", entry.start, {"entry": display_views.ENTRY}, name="display"),
    path("display/enrol/", entry.enrol, {"entry": display_views.ENTRY}, name="display-enrol"),
    path("display/demo/", entry.demo, {"entry": display_views.ENTRY}, name="display-demo"),
    path("display/<uuid:device_id>/", display_views.device, name="display-device"),
    path("display/<uuid:device_id>/now/", display_views.now, name="display-now"),
    path("display/<uuid:device_id>/alive/", display_views.alive, name="display-alive"),
    path("display/<uuid:device_id>/confirm/", display_views.confirm, name="display-confirm"),
    path("audit/reports/", include("casino.audit.reports.urls")),
    path("pit/", include("casino.pit.urls")),
    path("floor/", include("casino.pit.floor_urls")),
    path("audit/", include("casino.audit.urls")),
    path("api/", include("casino.tablet.api")),
    path("api/", include("casino.api.urls")),
    path("admin/", admin.site.urls),
    path("", include(health)),
]

handler400 = error_pages.bad_request
handler403 = error_pages.forbidden
handler404 = error_pages.not_found
handler500 = unavailable.server_error
