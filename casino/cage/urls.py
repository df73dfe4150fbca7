"""Addresses of the cage."""

from django.urls import path

from casino.cage import chips, differences, drops, inventory, settlement
from casino.people.pages.steps import take_step

urlpatterns = [
    path("chips/", chips.every, name="cage-chips"),
    path("chips/<slug:step>/", take_step, {"page": chips.PAGE}, name="cage-chips-step"),
    path("differences/", differences.everything, name="cage-differences"),
    path("differences/<uuid:pk>/", differences.one, name="cage-difference"),
    path(
        "differences/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": differences.PAGE},
        name="cage-difference-step",
    ),
    path("drops/", drops.every, name="cage-drops"),
    path("drops/<uuid:pk>/", drops.box, name="cage-drop"),
    path("drops/<uuid:pk>/<slug:step>/", take_step, {"page": drops.PAGE}, name="cage-drop-step"),
    path("inventory/", inventory.first, name="cage-inventory"),
    path("inventory/review/", inventory.review, name="cage-inventory-review"),
    path("inventory/<slug:step>/", take_step, {"page": inventory.PAGE}, name="cage-inventory-step"),
    path("settlements/<uuid:pk>/", settlement.sheet, name="cage-settlement"),
]
