"""Addresses of the floor."""

from django.urls import path

from casino.people.pages.steps import take_step
from casino.pit import set_up, slips
from casino.pit.floor import changes, table
from casino.pit.floor import views as floor
from casino.pit.hands import views as hands
from casino.pit.jackpots import views as jackpots
from casino.pit.rounds import views as rounds

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
    path("rounds/<uuid:pk>/", rounds.one, name="floor-round"),
    path(
        "rounds/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": rounds.PAGE},
        name="floor-round-step",
    ),
    path("hands/<uuid:pk>/", hands.hand, name="floor-hand"),
    path(
        "hands/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": hands.PAGE},
        name="floor-hand-step",
    ),
    path("jackpots/", jackpots.every, name="floor-jackpots"),
    path("jackpots/<uuid:pk>/", jackpots.one, name="floor-jackpot"),
    path(
        "jackpots/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": jackpots.PAGE},
        name="floor-jackpot-step",
    ),
    path("slips/", slips.every, name="floor-slips"),
    path("slips/<uuid:pk>/", slips.one, name="floor-slip"),
    path(
        "slips/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": slips.PAGE},
        name="floor-slip-step",
    ),
    path("set-up/", set_up.set_up, name="floor-set-up"),
    path("set-up/tables/<uuid:pk>/", changes.one, name="floor-set-up-table"),
    path(
        "set-up/tables/<uuid:pk>/<slug:step>/",
        take_step,
        {"page": changes.PAGE},
        name="floor-set-up-table-step",
    ),
    path("set-up/<slug:step>/", take_step, {"page": set_up.PAGE}, name="floor-set-up-step"),
]
