"""Addresses of the cage."""

from django.urls import path

from casino.cage import chips, inventory
from casino.people.pages.steps import take_step

urlpatterns = [
    path("chips/", chips.every, name="cage-chips"),
    path("chips/<slug:step>/", take_step, {"page": chips.PAGE}, name="cage-chips-step"),
    path("inventory/", inventory.first, name="cage-inventory"),
    path("inventory/review/", inventory.review, name="cage-inventory-review"),
    path("inventory/<slug:step>/", take_step, {"page": inventory.PAGE}, name="cage-inventory-step"),
]
