"""Addresses of the floor."""

from django.urls import path

from casino.people.pages.steps import take_step
from casino.pit import set_up as floor_set_up
from casino.pit import slips as floor_slips
from casino.pit.floor import table
from casino.pit.floor import views as floor
from casino.pit.jackpots import views
from casino.pit.rounds import views as floor_round

urlpatterns = [
    path("", floor.overview, name="floor"),
    path("to-clarify/<uuid:pk>/", floor.clarify, name="floor-clarify"),
    path(
        "to-clarify/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": floor.PAGE},
        name="floor-clarify-step",
    ),
    path("tables/<uuid:pk>/", table.table, name="floor-table"),
    path(
        "tables/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": table.PAGE},
        name="floor-table-step",
    ),
    path("rounds/<uuid:pk>/", floor_round.one, name="floor-round"),
    path(
        "rounds/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": floor_round.PAGE},
        name="floor-round-step",
    ),
    path("jackpots/", views.every, name="floor-jackpots"),
    path("jackpots/<uuid:pk>/", views.one, name="floor-jackpot"),
    path(
        "jackpots/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": views.PAGE},
        name="floor-jackpot-step",
    ),
    path("slips/", floor_slips.every, name="floor-slips"),
    path("slips/<uuid:pk>/", floor_slips.one, name="floor-slip"),
    path(
        "slips/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": floor_slips.PAGE},
        name="floor-slip-step",
    ),
    path("set-up/", floor_set_up.set_up, name="floor-set-up"),
    path("set-up/<slug:step>/", take_step, {"page": floor_set_up.PAGE}, name="floor-set-up-step"),
]
