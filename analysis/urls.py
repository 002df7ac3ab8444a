"""URLs of the pages for analysing and exporting, mounted at /admin/studies/."""

from django.urls import path

from analysis.views import (
    analyse,
    choosing,
    comparing,
    distractors,
    export,
    materials,
    plan,
    rating_study,
    reports,
    scores,
    sequential,
)

app_name = "analysis"
urlpatterns = [
    path("<study:slug>/materials/profile/", materials.ProfilePage.as_view(), name="profile"),
    path("<study:slug>/materials/profile/differences.svg", materials.ProfileFigure.as_view(), name="profile_figure"),
    path("<study:slug>/materials/profile/store/", scores.StoreOfProfile.as_view(), name="store_profile"),
    path("<study:slug>/materials/scores/", scores.ScoresPage.as_view(), name="scores"),
    path("<study:slug>/materials/scores/<int:score_id>/remove/", scores.RemoveScore.as_view(), name="remove_score"),
    path("<study:slug>/materials/distractors/", distractors.DistractorsPage.as_view(), name="distractors"),
    path("<study:slug>/materials/distractors/store/", distractors.StoreDistractors.as_view(), name="store_distractors"),
    path("<slug:slug>/plan/", plan.PlanPage.as_view(), name="plan"),
    path("<study:slug>/plan/suggested/<int:index>/", plan.PlanSuggested.as_view(), name="plan_suggested"),
    path("<study:slug>/plan/family/", plan.PlanFamily.as_view(), name="plan_family"),
    path("<study:slug>/plan/new/<slug:method>/", plan.PlanAnalysis.as_view(), name="plan_new"),
    path("<slug:slug>/plan/run/<int:index>/", plan.RunPlanned.as_view(), name="run_planned"),
    path("<slug:slug>/plan/without/<int:index>/", plan.Unplan.as_view(), name="unplan"),
    path("<slug:slug>/plan/sequential/<int:index>/", sequential.SequentialPage.as_view(), name="sequential"),
    path(
        "<slug:slug>/plan/sequential/<int:index>/without/",
        sequential.WithoutSequential.as_view(),
        name="without_sequential",
    ),
    path("<slug:slug>/plan/last-look/", sequential.EndSequential.as_view(), name="end_sequential"),
    path("<study:slug>/analyse/", analyse.AnalysePage.as_view(), name="analyse"),
    path("<study:slug>/analyse/suggested/<int:index>/", analyse.RunSuggested.as_view(), name="suggested"),
    path("<study:slug>/analyse/new/<slug:method>/", choosing.NewAnalysis.as_view(), name="new"),
    path("<slug:slug>/runs/<int:run_id>/", reports.RunPage.as_view(), name="run"),
    path("<slug:slug>/runs/<int:run_id>/progress/", reports.RunProgress.as_view(), name="progress"),
    path("<slug:slug>/runs/<int:run_id>/compare/", comparing.ComparePage.as_view(), name="compare"),
    path("<slug:slug>/runs/<int:run_id>/again/", reports.RunAgain.as_view(), name="again"),
    path("<slug:slug>/runs/<int:run_id>/cancel/", reports.CancelRun.as_view(), name="cancel"),
    path("<slug:slug>/runs/<int:run_id>/delete/", reports.DeleteRun.as_view(), name="delete"),
    path("<slug:slug>/runs/<int:run_id>/store/", scores.StoreOfRun.as_view(), name="store_run"),
    path("<slug:slug>/runs/<int:run_id>/rating-study/", rating_study.MakeRatingStudy.as_view(), name="rating_study"),
    path("<slug:slug>/runs/<int:run_id>/<str:name>", reports.RunFile.as_view(), name="run_file"),
    path("<slug:slug>/export/", export.ExportPage.as_view(), name="export"),
    path("<slug:slug>/export/all.zip", export.ExportAll.as_view(), name="export_all"),
    path("<slug:slug>/export/paper.zip", export.ExportPaper.as_view(), name="export_paper"),
    path("<slug:slug>/export/<str:name>", export.ExportFile.as_view(), name="export_file"),
]
