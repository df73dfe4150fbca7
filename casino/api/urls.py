"""Every address of the API, under /api/."""

from django.urls import path

from casino.api import approvals, clarify, docs, floor, guests, jackpots, people, queued, rounds

urlpatterns = [
    path("pits/", floor.Pits.as_view()),
    path("croupiers/", people.Croupiers.as_view()),
    path("tables/", floor.Tables.as_view()),
    path("tables/<uuid:table_id>/", floor.OneTable.as_view()),
    path("tables/<uuid:table_id>/link/", floor.TableLink.as_view()),
    path("tables/<uuid:table_id>/open/", floor.TableOpen.as_view()),
    path("tables/<uuid:table_id>/close/", floor.TableClose.as_view()),
    path("tables/<uuid:table_id>/hand-over/", floor.TableHandOver.as_view()),
    path("tables/<uuid:table_id>/entry-level/", floor.TableEntryLevel.as_view()),
    path("tables/<uuid:table_id>/guests/", guests.Guests.as_view()),
    path("tables/<uuid:table_id>/queued-rounds/", queued.QueuedRounds.as_view()),
    path("tables/<uuid:table_id>/rounds/<uuid:round_id>/lock/", rounds.RoundLock.as_view()),
    path("tables/<uuid:table_id>/rounds/<uuid:round_id>/withdraw/", rounds.RoundWithdraw.as_view()),
    path("guests/<uuid:guest_id>/move/", guests.GuestMove.as_view()),
    path("guests/<uuid:guest_id>/leave/", guests.GuestLeave.as_view()),
    path("rounds/", rounds.Rounds.as_view()),
    path("rounds/<uuid:round_id>/", rounds.OneRound.as_view()),
    path("rounds/<uuid:round_id>/settle/", rounds.RoundSettle.as_view()),
    path("rounds/<uuid:round_id>/reopen/", rounds.RoundReopen.as_view()),
    path("rounds/<uuid:round_id>/void/", rounds.RoundVoid.as_view()),
    path("rounds/<uuid:round_id>/correct/", rounds.RoundCorrect.as_view()),
    path("rounds/<uuid:round_id>/correction-request/", rounds.RoundCorrectionRequest.as_view()),
    path("rounds/<uuid:round_id>/cards/", rounds.RoundCards.as_view()),
    path("to-clarify/", clarify.ToClarifyList.as_view()),
    path("to-clarify/<uuid:clarify_id>/take/", clarify.ClarifyTake.as_view()),
    path("to-clarify/<uuid:clarify_id>/dismiss/", clarify.ClarifyDismiss.as_view()),
    path("jackpots/", jackpots.Jackpots.as_view()),
    path("jackpots/<uuid:jackpot_id>/", jackpots.OneJackpot.as_view()),
    path("jackpots/<uuid:jackpot_id>/parameters/", jackpots.JackpotParameters.as_view()),
    path("approvals/", approvals.Approvals.as_view()),
    path("approvals/<uuid:approval_id>/", approvals.OneApproval.as_view()),
    path("approvals/<uuid:approval_id>/sign/", approvals.ApprovalSign.as_view()),
    path("approvals/<uuid:approval_id>/reject/", approvals.ApprovalReject.as_view()),
    path("schema/", docs.schema, name="api-schema"),
    path("docs/", docs.page, name="api-docs"),
]
