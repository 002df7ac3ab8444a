"""Addresses of the study pages, mounted at /admin/studies/."""

from django.urls import path

from experiments.views import (
    design,
    home,
    index,
    items,
    materials,
    opening,
    preview,
    procedure,
    settings,
    start,
    texts,
)

app_name = "study"
urlpatterns = [
    path("", index.Index.as_view(), name="index"),
    path("new/", start.Start.as_view(), name="start"),
    path("<slug:slug>/", home.Home.as_view(), name="home"),
    path("<slug:slug>/materials/", materials.Materials.as_view(), name="materials"),
    path("<slug:slug>/materials/items/<int:item_id>/", items.EditItem.as_view(), name="item"),
    path("<slug:slug>/materials/replace/", materials.Replace.as_view(), name="replace_materials"),
    path("<slug:slug>/materials/check/", materials.Check.as_view(), name="check_materials"),
    path("<slug:slug>/materials/store/", materials.Store.as_view(), name="store_materials"),
    path("<slug:slug>/materials/materials.csv", materials.Download.as_view(), name="download_materials"),
    path("<slug:slug>/design/", design.Design.as_view(), name="design"),
    path("<slug:slug>/design/lists/<int:list_id>/", design.ListPage.as_view(), name="list"),
    path("<slug:slug>/procedure/", procedure.Procedure.as_view(), name="procedure"),
    path("<slug:slug>/procedure/questions/", procedure.QuestionsPage.as_view(), name="questions"),
    path("<slug:slug>/texts/", texts.Texts.as_view(), name="texts"),
    path("<slug:slug>/texts/<slug:kind>/", texts.Texts.as_view(), name="text"),
    path("<slug:slug>/preview/", preview.Preview.as_view(), name="preview"),
    path("<slug:slug>/open/", opening.Open.as_view(), name="open"),
    path("<slug:slug>/open/personal-links.csv", opening.PersonalLinks.as_view(), name="personal_links"),
    path("<slug:slug>/open/<slug:action>/", opening.Change.as_view(), name="change_status"),
    path("<slug:slug>/settings/", settings.Settings.as_view(), name="settings"),
    path("<slug:slug>/settings/people/", settings.AddPerson.as_view(), name="add_person"),
    path("<slug:slug>/settings/people/<int:user_id>/remove/", settings.RemovePerson.as_view(), name="remove_person"),
    path("<slug:slug>/copy/", settings.Copy.as_view(), name="copy"),
    path("<slug:slug>/archive.zip", settings.Archive.as_view(), name="archive"),
    path("<slug:slug>/delete/", settings.Delete.as_view(), name="delete"),
]
