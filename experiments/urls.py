"""URLs of the study pages, mounted at /admin/studies/."""

from django.urls import path

from experiments.views import (
    home,
    imported,
    index,
    opening,
    parts,
    preview,
    procedure,
    screening,
    settings,
    sources,
    start,
)
from experiments.views.materials import design, items, media
from experiments.views.materials import pages as materials
from experiments.views.texts import pages as texts
from experiments.views.texts import wording

app_name = "study"
urlpatterns = [
    path("", index.Index.as_view(), name="index"),
    path("new/", start.Start.as_view(), name="start"),
    path("<slug:slug>/", home.Home.as_view(), name="home"),
    path("<slug:slug>/import-report/", imported.ImportReport.as_view(), name="import_report"),
    path("<study:slug>/materials/", materials.Materials.as_view(), name="materials"),
    path("<study:slug>/materials/items/<int:item_id>/", items.EditItem.as_view(), name="item"),
    path("<study:slug>/materials/replace/", materials.Replace.as_view(), name="replace_materials"),
    path("<study:slug>/materials/check/", materials.Check.as_view(), name="check_materials"),
    path("<study:slug>/materials/store/", materials.Store.as_view(), name="store_materials"),
    path("<study:slug>/materials/template.csv", materials.Template.as_view(), name="template_of_materials"),
    path("<study:slug>/materials/materials.csv", materials.Download.as_view(), name="download_materials"),
    path("<slug:slug>/media/", media.Media.as_view(), name="media"),
    path("<slug:slug>/media/add/", media.Add.as_view(), name="add_media"),
    path("<slug:slug>/media/remove/", media.Remove.as_view(), name="remove_media"),
    path("<study:slug>/design/", design.Design.as_view(), name="design"),
    path("<study:slug>/design/labels/", design.Labels.as_view(), name="labels"),
    path("<study:slug>/design/lists/<int:list_id>/", design.ListPage.as_view(), name="list"),
    path("<slug:slug>/parts/", parts.Parts.as_view(), name="parts"),
    path("<slug:slug>/parts/<slug:part>/questions/", procedure.QuestionsOfPart.as_view(), name="part_questions"),
    path("<slug:slug>/parts/<slug:part>/screening/", screening.Screening.as_view(), name="screening"),
    path("<slug:slug>/parts/<slug:part>/remove/", parts.RemovePart.as_view(), name="remove_part"),
    path("<study:slug>/procedure/", procedure.Procedure.as_view(), name="procedure"),
    path("<study:slug>/procedure/questions/", procedure.QuestionsPage.as_view(), name="questions"),
    path("<study:slug>/texts/", texts.Texts.as_view(), name="texts"),
    path("<study:slug>/texts/<slug:kind>/", texts.Texts.as_view(), name="text"),
    path("<slug:slug>/wording/", wording.Wording.as_view(), name="wording"),
    path("<slug:slug>/wording/upload/", wording.Upload.as_view(), name="upload_wording"),
    path("<slug:slug>/wording/remove/", wording.Remove.as_view(), name="remove_wording"),
    path("<slug:slug>/wording/<slug:which>.json", wording.LanguageFile.as_view(), name="language_file"),
    path("<study:slug>/preview/", preview.Preview.as_view(), name="preview"),
    path("<slug:slug>/sources/", sources.Sources.as_view(), name="sources"),
    path("<slug:slug>/sources/<slug:source>/remove/", sources.RemoveSource.as_view(), name="remove_source"),
    path("<study:slug>/open/", opening.Open.as_view(), name="open"),
    path("<study:slug>/open/personal-links.csv", opening.PersonalLinks.as_view(), name="personal_links"),
    path("<study:slug>/open/<slug:action>/", opening.Change.as_view(), name="change_status"),
    path("<study:slug>/settings/", settings.Settings.as_view(), name="settings"),
    path("<study:slug>/settings/look/", settings.Look.as_view(), name="look"),
    path("<study:slug>/settings/people/", settings.AddPerson.as_view(), name="add_person"),
    path("<study:slug>/settings/people/<int:user_id>/owner/", settings.HandOver.as_view(), name="hand_over"),
    path("<study:slug>/settings/people/<int:user_id>/remove/", settings.RemovePerson.as_view(), name="remove_person"),
    path("<study:slug>/copy/", settings.Copy.as_view(), name="copy"),
    path("<study:slug>/archive.zip", settings.Archive.as_view(), name="archive"),
    path("<study:slug>/shelf/", settings.Shelf.as_view(), name="shelf"),
    path("<study:slug>/delete/", settings.Delete.as_view(), name="delete"),
]
