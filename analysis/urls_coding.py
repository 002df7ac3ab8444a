"""URLs of the pages for coding, mounted at /admin/studies/."""

from django.urls import path

from analysis.views.coding import adjudication, coders, freezing, overview, scheme, sheets, workspace

app_name = "coding"
urlpatterns = [
    path("<study:slug>/code/", overview.Overview.as_view(), name="overview"),
    path("<study:slug>/code/coders/", coders.AddCoder.as_view(), name="add_coder"),
    path("<study:slug>/code/coders/<int:number>/share/", coders.ChangeShare.as_view(), name="share"),
    path("<study:slug>/code/coders/<int:number>/remove/", coders.RemoveCoder.as_view(), name="remove_coder"),
    path("<study:slug>/code/coders/<int:number>/sheet/", sheets.Sheet.as_view(), name="sheet"),
    path("<study:slug>/code/coders/<int:number>/sheet.csv", sheets.SheetDownload.as_view(), name="sheet_file"),
    path("<study:slug>/code/fillers/", coders.Fillers.as_view(), name="fillers"),
    path("<study:slug>/code/codes/", scheme.Scheme.as_view(), name="scheme"),
    path("<study:slug>/code/freeze/", freezing.Freeze.as_view(), name="freeze"),
    path("<study:slug>/code/unfreeze/", freezing.Unfreeze.as_view(), name="unfreeze"),
    path("<study:slug>/code/work/", workspace.Workspace.as_view(), name="workspace"),
    path("<study:slug>/code/work/items/", workspace.Items.as_view(), name="items"),
    path("<study:slug>/code/work/next/", workspace.Next.as_view(), name="next"),
    path("<study:slug>/code/work/save/", workspace.Save.as_view(), name="save"),
    path("<study:slug>/code/work/undo/", workspace.Undo.as_view(), name="undo"),
    path("<study:slug>/code/adjudicate/", adjudication.Adjudicate.as_view(), name="adjudicate"),
    path("<study:slug>/code/adjudicate/items/", adjudication.Items.as_view(), name="adjudicate_items"),
    path("<study:slug>/code/adjudicate/next/", adjudication.Next.as_view(), name="adjudicate_next"),
    path("<study:slug>/code/adjudicate/save/", adjudication.Decide.as_view(), name="decide"),
    path("<study:slug>/code/adjudicate/undo/", adjudication.Undo.as_view(), name="adjudicate_undo"),
]
