"""Every address of the project. Closed unless its view says `login_not_required` (`casino/middleware.py`)."""

from django.contrib import admin
from django.urls import include, path

from casino import devices_views, display_views, health, posted, tablet_round, tablet_views, unavailable, views

urlpatterns = [
    path("", views.home, name="home"),
    path("home/<slug:role>/", views.role_home, name="role-home"),
    path("sign-in/", views.sign_in, name="sign-in"),
    path("sign-in/demo/", views.demo_codes, name="demo-codes"),
    path("sign-in/password/", views.own_password, name="own-password"),
    path("sign-in/authenticator/", views.enrolment, name="enrolment"),
    path("sign-out/", views.sign_out, name="sign-out"),
    path("password/", views.password, name="password"),
    path("language/", views.language, name="language"),
    path("posted-tables/", posted.tables, name="posted-tables"),
    path("posted-tables/new/<slug:code>/", posted.new, name="posted-new"),
    path("posted-tables/<uuid:pk>/", posted.version, name="posted-table"),
    path("posted-tables/<uuid:pk>/compare/<uuid:other>/", posted.compare, name="posted-compare"),
    path("posted-tables/<uuid:pk>/edit/", posted.edit, name="posted-edit"),
    path("posted-tables/<uuid:pk>/copy/", posted.copy, name="posted-copy"),
    path("posted-tables/<uuid:pk>/request/", posted.ask, name="posted-request"),
    path("posted-tables/<uuid:pk>/sign/", posted.sign, name="posted-sign"),
    path("posted-tables/<uuid:pk>/reject/", posted.reject, name="posted-reject"),
    path("posted-tables/<uuid:pk>/withdraw/", posted.withdraw, name="posted-withdraw"),
    path("pin/", devices_views.own_pin, name="own-pin"),
    path("pins/", devices_views.locked_pins, name="locked-pins"),
    path("pins/<uuid:pk>/unlock/", devices_views.unlock_pin, name="unlock-pin"),
    path("devices/", devices_views.device_list, name="devices"),
    path("devices/code/", devices_views.code_make, name="device-code"),
    path("devices/feed/", devices_views.feed_enrol, name="device-feed"),
    path("devices/display/", devices_views.display_code_make, name="device-display"),
    path("devices/<uuid:pk>/require/", devices_views.require, name="device-require"),
    path("devices/<uuid:pk>/revoke/", devices_views.revoke, name="device-revoke"),
    path("devices/<uuid:pk>/free/", devices_views.free, name="device-free"),
    path("tablet/", tablet_views.start, name="tablet"),
    path("tablet/enrol/", tablet_views.enrol, name="tablet-enrol"),
    path("tablet/worker.js", tablet_round.worker, name="tablet-worker"),
    path("tablet/demo/", tablet_views.demo, name="tablet-demo"),
    path("tablet/<uuid:device_id>/", tablet_views.device, name="tablet-device"),
    path("tablet/<uuid:device_id>/sign-in/", tablet_views.sign_in, name="tablet-sign-in"),
    path("tablet/<uuid:device_id>/sign-out/", tablet_views.sign_out, name="tablet-sign-out"),
    path("tablet/<uuid:device_id>/hand-over/", tablet_views.hand_over, name="tablet-hand-over"),
    path("tablet/<uuid:device_id>/language/", tablet_views.language, name="tablet-language"),
    path("display/", display_views.start, name="display"),
    path("display/enrol/", display_views.enrol, name="display-enrol"),
    path("display/demo/", display_views.demo, name="display-demo"),
    path("display/<uuid:device_id>/", display_views.device, name="display-device"),
    path("display/<uuid:device_id>/now/", display_views.now, name="display-now"),
    path("display/<uuid:device_id>/alive/", display_views.alive, name="display-alive"),
    path("display/<uuid:device_id>/confirm/", display_views.confirm, name="display-confirm"),
    path("floor/", include("casino.floor_urls")),
    path("api/", include("casino.api.urls")),
    path("admin/", admin.site.urls),
    path("", include(health)),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = unavailable.server_error
