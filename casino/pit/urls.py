"""Addresses of the pit."""

from django.urls import path

from casino.people.pages.steps import take_step
from casino.pit.board import views as board
from casino.pit.jackpots import control_room

urlpatterns = [
    path("", board.overview, name="pit"),
    path("board/", board.board, name="pit-board"),
    path("alerts/<int:pk>/acknowledge/", board.acknowledge, name="pit-acknowledge"),
    path("calls/<uuid:pk>/take/", board.take_call, name="pit-take-call"),
    path("calls/<uuid:pk>/seen-to/", board.seen_to, name="pit-seen-to"),
    path("hand-over/", board.hand_over, name="pit-hand-over"),
    path(
        "hand-over/take/",
        take_step,
        {"step": "take", "page": board.SHIFT},
        name="pit-take-over",
    ),
    path(
        "hand-over/acknowledge/",
        take_step,
        {"step": "acknowledge", "page": board.SHIFT},
        name="pit-acknowledge-over",
    ),
    path("jackpots/", control_room.every, name="pit-jackpots"),
    path("jackpots/<uuid:pk>/", control_room.room, name="pit-jackpot"),
    path("jackpots/<uuid:pk>/meter/", control_room.meter, name="pit-meter"),
]
