"""Addresses of the pit."""

from django.urls import path

from casino.people.pages.steps import take_step
from casino.pit.board import views as dashboard
from casino.pit.jackpots import control_room as dashboard_jackpot

urlpatterns = [
    path("", dashboard.overview, name="pit"),
    path("board/", dashboard.board, name="pit-board"),
    path("alerts/<int:pk>/acknowledge/", dashboard.acknowledge, name="pit-acknowledge"),
    path("calls/<uuid:pk>/take/", dashboard.take_call, name="pit-take-call"),
    path("calls/<uuid:pk>/seen-to/", dashboard.seen_to, name="pit-seen-to"),
    path("hand-over/", dashboard.hand_over, name="pit-hand-over"),
    path(
        "hand-over/take/",
        take_step,
        {"step": "take", "page": dashboard.SHIFT},
        name="pit-take-over",
    ),
    path("jackpots/", dashboard_jackpot.every, name="pit-jackpots"),
    path("jackpots/<uuid:pk>/", dashboard_jackpot.room, name="pit-jackpot"),
    path("jackpots/<uuid:pk>/meter/", dashboard_jackpot.meter, name="pit-meter"),
]
