"""URLs of the pages that analyse a table without a study, mounted at /admin/tables/."""

from django.urls import path

from analysis.views.tables import pages, runs

app_name = "tables"
urlpatterns = [
    path("", pages.Tables.as_view(), name="tables"),
    path("<int:table_id>/", pages.TablePage.as_view(), name="table"),
    path("<int:table_id>/table.csv", pages.Download.as_view(), name="download"),
    path("<int:table_id>/delete/", pages.DeleteTable.as_view(), name="delete"),
    path("<int:table_id>/study/", pages.MakeStudy.as_view(), name="study"),
    path("<int:table_id>/new/<slug:method>/", runs.NewTableRun.as_view(), name="new"),
    path("<int:table_id>/runs/<int:run_id>/", runs.TableRunPage.as_view(), name="run"),
    path("<int:table_id>/runs/<int:run_id>/progress/", runs.TableRunProgress.as_view(), name="progress"),
    path("<int:table_id>/runs/<int:run_id>/delete/", runs.DeleteTableRun.as_view(), name="delete_run"),
    path("<int:table_id>/runs/<int:run_id>/<str:name>", runs.TableRunFile.as_view(), name="run_file"),
]
