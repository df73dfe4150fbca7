"""Addresses of the audit desk."""

from django.urls import path

from casino.audit import calculator as audit_calculator
from casino.audit import transfers as audit_transfers
from casino.audit import verify as audit_verify
from casino.audit import views as audit
from casino.people.pages.steps import take_step

urlpatterns = [
    path("", audit.desk, name="audit"),
    path("rounds/<uuid:pk>/", audit.round_record, name="audit-round"),
    path("hands/<uuid:pk>/", audit.hand_page, name="audit-hand"),
    path("hands/<uuid:pk>/json/", audit.hand_json, name="audit-hand-json"),
    path("hits/<uuid:pk>/", audit.hit_record, name="audit-hit"),
    path("hits/<uuid:pk>/meter/", audit.hit_meter, name="audit-meter"),
    path("accounts/<int:pk>/", audit.account_record, name="audit-account"),
    path("transfers/<int:pk>/", audit_transfers.transfer_record, name="audit-transfer"),
    path(
        "transfers/<int:pk>/reverse/",
        take_step,
        {"step": "reverse", "page": audit_transfers.PAGE},
        name="audit-transfer-reverse",
    ),
    path("people/<uuid:pk>/", audit.person_record, name="audit-person"),
    path("devices/<uuid:pk>/", audit.device_record, name="audit-device"),
    path("posted/<uuid:pk>/", audit.posted_record, name="audit-posted"),
    path("verify/", audit_verify.runs, name="audit-verify"),
    path("verify/<int:pk>/", audit_verify.run, name="audit-verify-run"),
    path("calculator/", audit_calculator.calculator, name="audit-calculator"),
]
