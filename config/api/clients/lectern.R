# Studies, participants, exports and analyses of a Lectern platform from R. Needs the packages curl and jsonlite.
#
#   source("https://lectern.example.org/api/v1/lectern.R")
#   lab <- lectern("https://lectern.example.org", token)
#   lab$list_sessions("my-study", state = "finished")
#
# Every operation of the API is a function of its name in `lab`: args(lab$create_run) shows what it takes. Lists and CSV
# files are data frames, everything else is a list; lab$get_export("my-study", "trials.csv", to = "trials.csv") writes a
# file while it comes. What the platform refuses is an error of the class lectern_problem, whose message says what
# happened and what to do; $code, $status and $faults are for programs.

.lectern_tries <- 5
.lectern_first_wait <- 0.5
.lectern_longest_wait <- 60
.lectern_longest_altogether <- 180
.lectern_types <- c(
  csv = "text/csv", tsv = "text/tab-separated-values", zip = "application/zip",
  xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

# Return a platform. Without arguments, address and token are read from LECTERN_URL and LECTERN_TOKEN. `timeout` is for
# how many seconds an answer may stay away; `allow_http` lets the token travel readable.
lectern <- function(address = Sys.getenv("LECTERN_URL"), token = trimws(Sys.getenv("LECTERN_TOKEN")),
                    timeout = 60, allow_http = FALSE) {
  for (package in c("curl", "jsonlite")) {
    if (!requireNamespace(package, quietly = TRUE)) {
      .lectern_stop("not-usable", sprintf('Install the package %1$s first: install.packages("%1$s").', package))
    }
  }
  connection <- new.env()
  connection$base <- .lectern_base(address, allow_http)
  if (!is.character(token) || length(token) != 1 || is.na(token) || !grepl("^[!-~]+$", token, perl = TRUE)) {
    .lectern_unusable("The token is empty or was not copied correctly; it begins with lectern_pat_.")
  }
  connection$token <- token
  connection$timeout <- timeout
  connection$etags <- new.env()
  connection$keys <- 0
  lab <- lapply(names(.lectern_operations), function(name) .lectern_function(connection, name))
  names(lab) <- names(.lectern_operations)
  lab$wait_for_run <- function(slug, run, seconds = 3600, progress = interactive()) {
    .lectern_wait(function() lab$get_run(slug, run), "The analysis", seconds, progress)
  }
  lab$wait_for_simulation <- function(slug, seconds = 3600, progress = interactive()) {
    .lectern_wait(function() lab$get_simulation(slug), "The simulation", seconds, progress)
  }
  lab$wait_for_archive <- function(slug, archive, seconds = 3600, progress = interactive()) {
    .lectern_wait(function() lab$get_archive(slug, archive), "The archive", seconds, progress)
  }
  lab$report <- function(slug, run) lab$get_run_file(slug, run, "report.json")
  lab$report_tables <- function(slug, run) .lectern_report_tables(lab$report(slug, run))
  structure(lab, class = "lectern", host = sub("^https?://([^/]+).*$", "\\1", connection$base))
}

print.lectern <- function(x, ...) {
  cat(sprintf("<Lectern at %s>\n", attr(x, "host")))
  invisible(x)
}

# Operations begin (made by python -m config.packaging.clients; do not edit).
.lectern_operations <- list(
  # Say what the token may do. Scopes: `read`.
  get_token = list(
    method = "GET",
    path = "tokens/self/",
    gives = "json"
  ),
  # Revoke the token. For programs that have done what they were made for. The token cannot be used afterwards. Scopes:
  # `read`.
  revoke_token = list(
    method = "POST",
    path = "tokens/self/revoke/",
    gives = "nothing",
    takes_json = TRUE
  ),
  # List studies. Scopes: `read`.
  list_studies = list(
    method = "GET",
    path = "studies/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor", status = "status", archived = "archived", search = "search")
  ),
  # Make a study. Of a study file as JSON, of an archive as the body, of a form with the study file (`file`) and its
  # table (`materials`), or an empty draft of one paradigm. Scopes: `read`, `write`. For people who make studies.
  create_study = list(
    method = "POST",
    path = "studies/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(slug = "slug", title = "title", paradigm = "paradigm", language = "language", study = "study", tables = "tables", repair = "repair", accept = "accept"),
    uploads = c("application/zip"),
    form_files = c("file", "materials"),
    form_texts = c("slug", "repair", "accept")
  ),
  # Check a study without storing it. Takes what making a study takes. The answer is 200 also where there are faults.
  # Scopes: `read`. For people who make studies.
  validate_study = list(
    method = "POST",
    path = "studies/validate/",
    gives = "json",
    takes_json = TRUE,
    body = c(slug = "slug", title = "title", paradigm = "paradigm", language = "language", study = "study", tables = "tables", repair = "repair", accept = "accept"),
    uploads = c("application/zip"),
    form_files = c("file", "materials"),
    form_texts = c("slug", "repair", "accept")
  ),
  # Read a study. Scopes: `read`. For members of the study.
  get_study = list(
    method = "GET",
    path = "studies/{slug}/",
    gives = "json"
  ),
  # Change fields of a study. Scopes: `read`, `write`. For people who may edit the study.
  change_study = list(
    method = "PATCH",
    path = "studies/{slug}/",
    gives = "json",
    is_guarded = TRUE,
    takes_json = TRUE,
    body = c(new_slug = "slug", title = "title", description = "description", tags = "tags", language = "language", responsible = "responsible", contact = "contact", estimated_minutes = "estimated_minutes", data_protection_note = "data_protection_note", retention_until = "retention_until", erases_itself = "erases_itself", notice = "notice", quota = "quota")
  ),
  # Delete a draft. Only a study that was never opened. Scopes: `read`, `write`. For the owner of the study.
  delete_study = list(
    method = "DELETE",
    path = "studies/{slug}/",
    gives = "nothing",
    is_guarded = TRUE
  ),
  # Say what opening asks of a study. Scopes: `read`. For members of the study.
  get_readiness = list(
    method = "GET",
    path = "studies/{slug}/readiness/",
    gives = "json"
  ),
  # Download a study as a file. Without people and data; the same bytes as the page and `export_study` give. Scopes:
  # `read`. For members of the study.
  get_study_file = list(
    method = "GET",
    path = "studies/{slug}/study.zip",
    gives = "file"
  ),
  # Open a study, or open it again. Opening locks materials, design, order and instructions permanently. Scopes: `read`,
  # `write`. For people who may edit the study.
  open_study = list(
    method = "POST",
    path = "studies/{slug}/open/",
    gives = "json",
    takes_json = TRUE
  ),
  # Pause a study. Nobody can start; people who have started can finish. Scopes: `read`, `write`. For people who may
  # edit the study.
  pause_study = list(
    method = "POST",
    path = "studies/{slug}/pause/",
    gives = "json",
    takes_json = TRUE
  ),
  # Let people start again. Scopes: `read`, `write`. For people who may edit the study.
  resume_study = list(
    method = "POST",
    path = "studies/{slug}/resume/",
    gives = "json",
    takes_json = TRUE
  ),
  # Close a study. Nobody can start or come back. Scopes: `read`, `write`. For people who may edit the study.
  close_study = list(
    method = "POST",
    path = "studies/{slug}/close/",
    gives = "json",
    takes_json = TRUE
  ),
  # Put a study into the archive. It is hidden in lists; nothing else changes. Scopes: `read`, `write`. For the owner of
  # the study.
  archive_study = list(
    method = "POST",
    path = "studies/{slug}/archive/",
    gives = "json",
    takes_json = TRUE
  ),
  # Bring a study back from the archive. Scopes: `read`, `write`. For the owner of the study.
  unarchive_study = list(
    method = "POST",
    path = "studies/{slug}/unarchive/",
    gives = "json",
    takes_json = TRUE
  ),
  # Copy a study. A draft with the same design, settings and texts, without participants and data, which is yours.
  # Scopes: `read`, `write`. For members of the study.
  copy_study = list(
    method = "POST",
    path = "studies/{slug}/copy/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(new_slug = "slug")
  ),
  # Read the materials. As a table that can be stored again. Scopes: `read`. For members of the study.
  get_materials = list(
    method = "GET",
    path = "studies/{slug}/materials/",
    gives = "file",
    query = c(part = "part", excel = "excel")
  ),
  # Replace the materials of a draft. The table is read as on the page: columns are recognised, lists are made. It
  # becomes a version. Scopes: `read`, `write`. For people who may edit the study.
  put_materials = list(
    method = "PUT",
    path = "studies/{slug}/materials/",
    gives = "json",
    is_guarded = TRUE,
    query = c(part = "part", repair = "repair", incomplete = "incomplete", accept = "accept", note = "note"),
    uploads = c("text/csv", "text/tab-separated-values", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
  ),
  # Check a table without storing it. Scopes: `read`. For people who may edit the study.
  check_materials = list(
    method = "POST",
    path = "studies/{slug}/materials/check/",
    gives = "json",
    query = c(part = "part", repair = "repair", incomplete = "incomplete", accept = "accept"),
    uploads = c("text/csv", "text/tab-separated-values", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
  ),
  # List the versions of the materials. Every change of the materials is kept as a version, up to a bound; the newest
  # comes first. Scopes: `read`. For members of the study.
  list_materials_versions = list(
    method = "GET",
    path = "studies/{slug}/materials/versions/",
    gives = "rows",
    is_paged = TRUE,
    query = c(part = "part", limit = "limit", cursor = "cursor")
  ),
  # Read what is known of a version. Scopes: `read`. For members of the study.
  get_materials_version = list(
    method = "GET",
    path = "studies/{slug}/materials/versions/{version}/",
    gives = "json",
    query = c(part = "part")
  ),
  # Read the materials of a version. As a table that can be stored again. Scopes: `read`. For members of the study.
  get_materials_version_table = list(
    method = "GET",
    path = "studies/{slug}/materials/versions/{version}/materials.csv",
    gives = "file",
    query = c(part = "part", excel = "excel")
  ),
  # Compare a version with another. By item, condition and column: texts that were added, removed or changed. Scopes:
  # `read`. For members of the study.
  get_materials_difference = list(
    method = "GET",
    path = "studies/{slug}/materials/versions/{version}/difference/",
    gives = "json",
    query = c(part = "part", limit = "limit", cursor = "cursor", since = "since")
  ),
  # Go back to a version of the materials. The materials of a draft become those of the version again, as a new version;
  # none is removed. If-Match names the ETag of the materials. Scopes: `read`, `write`. For people who may edit the
  # study.
  restore_materials_version = list(
    method = "POST",
    path = "studies/{slug}/materials/versions/{version}/restore/",
    gives = "json",
    is_guarded = TRUE,
    query = c(part = "part"),
    takes_json = TRUE,
    body = c(note = "note")
  ),
  # List pictures, sounds and videos. Scopes: `read`. For members of the study.
  list_media = list(
    method = "GET",
    path = "studies/{slug}/media/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor")
  ),
  # Store the files of a ZIP archive. Scopes: `read`, `write`. For people who may edit the study.
  add_media = list(
    method = "POST",
    path = "studies/{slug}/media/",
    gives = "json",
    creates = TRUE,
    query = c(licence = "licence"),
    uploads = c("application/zip")
  ),
  # Download a file. Scopes: `read`. For members of the study.
  get_media = list(
    method = "GET",
    path = "studies/{slug}/media/{name}",
    gives = "file"
  ),
  # Store one file. What the file is, is told by its content. Scopes: `read`, `write`. For people who may edit the
  # study.
  put_media = list(
    method = "PUT",
    path = "studies/{slug}/media/{name}",
    gives = "json",
    query = c(licence = "licence"),
    uploads = c("audio/mp4", "audio/mpeg", "audio/ogg", "audio/wav", "image/gif", "image/jpeg", "image/png", "image/webp", "video/mp4", "video/webm", "application/octet-stream")
  ),
  # Remove a file of a draft. Scopes: `read`, `write`. For people who may edit the study.
  delete_media = list(
    method = "DELETE",
    path = "studies/{slug}/media/{name}",
    gives = "nothing"
  ),
  # Read all texts. Scopes: `read`. For members of the study.
  list_texts = list(
    method = "GET",
    path = "studies/{slug}/texts/",
    gives = "rows"
  ),
  # Read a text. Scopes: `read`. For members of the study.
  get_text = list(
    method = "GET",
    path = "studies/{slug}/texts/{kind}/",
    gives = "json",
    query = c(part = "part")
  ),
  # Store a text as a new version. Also while the study is open, but for instructions, which are part of what is
  # measured. Scopes: `read`, `write`. For people who may edit the study.
  put_text = list(
    method = "PUT",
    path = "studies/{slug}/texts/{kind}/",
    gives = "json",
    is_guarded = TRUE,
    query = c(part = "part"),
    takes_json = TRUE,
    body = c(body = "body", markup = "markup", required_boxes = "required_boxes", optional_boxes = "optional_boxes"),
    lists = c("required_boxes", "optional_boxes")
  ),
  # Read settings and procedure. Scopes: `read`. For members of the study.
  get_settings = list(
    method = "GET",
    path = "studies/{slug}/settings/",
    gives = "json",
    query = c(part = "part")
  ),
  # Change settings and procedure. Of a draft; while a study is open, what follows the last page and coming back may
  # still change. Scopes: `read`, `write`. For people who may edit the study.
  change_settings = list(
    method = "PATCH",
    path = "studies/{slug}/settings/",
    gives = "json",
    is_guarded = TRUE,
    query = c(part = "part"),
    takes_json = TRUE,
    body = c(settings = "settings", procedure = "procedure")
  ),
  # Read the plan. Scopes: `read`. For members of the study.
  get_plan = list(
    method = "GET",
    path = "studies/{slug}/plan/",
    gives = "json"
  ),
  # Replace the plan of a draft. Scopes: `read`, `write`. For people who may edit the study.
  put_plan = list(
    method = "PUT",
    path = "studies/{slug}/plan/",
    gives = "json",
    is_guarded = TRUE,
    takes_json = TRUE,
    body = c(hypotheses = "hypotheses", exclusion_rules = "exclusion_rules", analyses = "analyses"),
    lists = c("exclusion_rules", "analyses")
  ),
  # List sources. Scopes: `read`. For members of the study.
  list_sources = list(
    method = "GET",
    path = "studies/{slug}/sources/",
    gives = "json"
  ),
  # Add a source. Scopes: `read`, `write`. For people who may edit the study.
  create_source = list(
    method = "POST",
    path = "studies/{slug}/sources/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(kind = "kind")
  ),
  # Read a source. Scopes: `read`. For members of the study.
  get_source = list(
    method = "GET",
    path = "studies/{slug}/sources/{name}/",
    gives = "json"
  ),
  # Change a source. Scopes: `read`, `write`. For people who may edit the study.
  change_source = list(
    method = "PATCH",
    path = "studies/{slug}/sources/{name}/",
    gives = "json",
    is_guarded = TRUE,
    takes_json = TRUE,
    body = c(new_name = "name", parameters = "parameters", outcomes = "outcomes", id_only = "id_only"),
    lists = c("parameters")
  ),
  # Remove a source from a draft. Scopes: `read`, `write`. For people who may edit the study.
  delete_source = list(
    method = "DELETE",
    path = "studies/{slug}/sources/{name}/",
    gives = "nothing",
    is_guarded = TRUE
  ),
  # Read the quotas by criterion. Scopes: `read`. For members of the study.
  get_criteria = list(
    method = "GET",
    path = "studies/{slug}/criteria/",
    gives = "json"
  ),
  # Replace the quotas by criterion. Scopes: `read`, `write`. For people who may edit the study.
  put_criteria = list(
    method = "PUT",
    path = "studies/{slug}/criteria/",
    gives = "json",
    is_guarded = TRUE,
    takes_json = TRUE,
    body = c(criteria = "criteria"),
    lists = c("criteria")
  ),
  # Read the quota. Scopes: `read`. For members of the study.
  get_quota = list(
    method = "GET",
    path = "studies/{slug}/quota/",
    gives = "json"
  ),
  # Change the quota. Scopes: `read`, `write`. For people who may edit the study.
  put_quota = list(
    method = "PUT",
    path = "studies/{slug}/quota/",
    gives = "json",
    is_guarded = TRUE,
    takes_json = TRUE,
    body = c(quota = "quota")
  ),
  # Make personal links. Each is good for one person. The platform keeps none of them. Scopes: `read`, `write`. For
  # people who may edit the study.
  create_personal_links = list(
    method = "POST",
    path = "studies/{slug}/personal-links/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(number = "number")
  ),
  # Read the flow of participants. Scopes: `read`. For members of the study.
  get_flow = list(
    method = "GET",
    path = "studies/{slug}/flow/",
    gives = "json",
    query = c(of = "of")
  ),
  # Read how the study is going. Scopes: `read`. For members of the study.
  get_watch = list(
    method = "GET",
    path = "studies/{slug}/watch/",
    gives = "json",
    query = c(of = "of")
  ),
  # List hooks. Scopes: `read`. For people who may edit the study.
  list_hooks = list(
    method = "GET",
    path = "studies/{slug}/hooks/",
    gives = "rows"
  ),
  # Add a hook. Its secret is in this answer alone. What happened before is not sent. Scopes: `read`, `write`, `data`.
  # For people who may edit the study.
  create_hook = list(
    method = "POST",
    path = "studies/{slug}/hooks/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(address = "address", events = "events"),
    lists = c("events")
  ),
  # Read a hook. Scopes: `read`. For people who may edit the study.
  get_hook = list(
    method = "GET",
    path = "studies/{slug}/hooks/{hook}/",
    gives = "json"
  ),
  # Change a hook. Choose its events, or switch it on or off. Scopes: `read`, `write`, `data`. For people who may edit
  # the study.
  change_hook = list(
    method = "PATCH",
    path = "studies/{slug}/hooks/{hook}/",
    gives = "json",
    is_guarded = TRUE,
    takes_json = TRUE,
    body = c(is_active = "is_active", events = "events"),
    lists = c("events")
  ),
  # Delete a hook. What waits is not sent. Scopes: `read`, `write`. For people who may edit the study.
  delete_hook = list(
    method = "DELETE",
    path = "studies/{slug}/hooks/{hook}/",
    gives = "nothing",
    is_guarded = TRUE
  ),
  # Make a new secret. It is in this answer alone. For 24 hours the old and the new secret both sign. Scopes: `read`,
  # `write`, `data`. For people who may edit the study.
  rotate_hook_secret = list(
    method = "POST",
    path = "studies/{slug}/hooks/{hook}/secret/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE
  ),
  # Send a test. Scopes: `read`, `write`. For people who may edit the study.
  send_test_event = list(
    method = "POST",
    path = "studies/{slug}/hooks/{hook}/test/",
    gives = "json",
    takes_json = TRUE
  ),
  # List deliveries. Of the last 30 days, the latest first. Scopes: `read`, `data`. For people who may edit the study.
  list_deliveries = list(
    method = "GET",
    path = "studies/{slug}/hooks/{hook}/deliveries/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor", state = "state")
  ),
  # Send events again. One, or all that were given up. Scopes: `read`, `write`, `data`. For people who may edit the
  # study.
  replay_deliveries = list(
    method = "POST",
    path = "studies/{slug}/hooks/{hook}/replay/",
    gives = "json",
    takes_json = TRUE,
    body = c(delivery = "delivery")
  ),
  # List sessions. Scopes: `read`, `data`. For members of the study.
  list_sessions = list(
    method = "GET",
    path = "studies/{slug}/sessions/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor", state = "state", simulated = "simulated")
  ),
  # List participants. Everybody has one session in a study, so this is the list of sessions. Scopes: `read`, `data`.
  # For members of the study.
  list_participants = list(
    method = "GET",
    path = "studies/{slug}/participants/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor", state = "state", simulated = "simulated")
  ),
  # Read a participant's session and its quality. Scopes: `read`, `data`. For members of the study.
  get_participant = list(
    method = "GET",
    path = "studies/{slug}/participants/{pseudonym}/",
    gives = "json"
  ),
  # Exclude a participant. The data are kept; analyses leave them out, and exports name the reason. Scopes: `read`,
  # `write`, `data`. For people who may edit the study.
  exclude_participant = list(
    method = "POST",
    path = "studies/{slug}/participants/{pseudonym}/exclude/",
    gives = "json",
    takes_json = TRUE,
    body = c(reason = "reason")
  ),
  # Take an exclusion back. Scopes: `read`, `write`, `data`. For people who may edit the study.
  include_participant = list(
    method = "POST",
    path = "studies/{slug}/participants/{pseudonym}/include/",
    gives = "json",
    takes_json = TRUE
  ),
  # Erase a participant permanently. Do this when the person asks for it. The study remembers only that somebody
  # withdrew. Scopes: `read`, `write`, `data`. For people who may edit the study.
  erase_participant = list(
    method = "POST",
    path = "studies/{slug}/participants/{pseudonym}/erase/",
    gives = "json",
    takes_json = TRUE
  ),
  # Erase all participants permanently. Of a study that is not open, at the end of retention. Scopes: `read`, `write`,
  # `data`. For the owner of the study.
  erase_everybody = list(
    method = "POST",
    path = "studies/{slug}/erase-participants/",
    gives = "json",
    takes_json = TRUE,
    body = c(confirm = "confirm")
  ),
  # Erase all recruitment ids. When everybody has been paid. All answers stay, under their pseudonyms. Scopes: `read`,
  # `write`, `identities`. For the owner of the study.
  erase_identities = list(
    method = "POST",
    path = "studies/{slug}/erase-identities/",
    gives = "json",
    takes_json = TRUE,
    body = c(confirm = "confirm")
  ),
  # Simulate participants. Of an open study. They take part through the real interface and are marked as simulated.
  # Scopes: `read`, `write`. For people who may edit the study.
  simulate = list(
    method = "POST",
    path = "studies/{slug}/simulate/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(participants = "participants", seed = "seed", dropout = "dropout")
  ),
  # Simulate participants, store nothing. Also of a draft: nobody takes part, nothing is stored or counted. It takes
  # some seconds. Scopes: `read`. For members of the study.
  preview_simulation = list(
    method = "POST",
    path = "studies/{slug}/simulate/preview/",
    gives = "json",
    takes_json = TRUE,
    body = c(participants = "participants", seed = "seed")
  ),
  # See how far a simulation is. Scopes: `read`. For members of the study.
  get_simulation = list(
    method = "GET",
    path = "studies/{slug}/simulation/",
    gives = "json"
  ),
  # Stop a simulation. Scopes: `read`, `write`. For people who may edit the study.
  cancel_simulation = list(
    method = "POST",
    path = "studies/{slug}/simulation/cancel/",
    gives = "json",
    takes_json = TRUE
  ),
  # Remove simulated participants. Scopes: `read`, `write`. For people who may edit the study.
  remove_simulated = list(
    method = "POST",
    path = "studies/{slug}/simulation/remove/",
    gives = "json",
    takes_json = TRUE
  ),
  # List the files of the export. Scopes: `read`, `data`. For members of the study.
  list_exports = list(
    method = "GET",
    path = "studies/{slug}/exports/",
    gives = "rows"
  ),
  # Download everything as one archive. Data, codebook, reports and manifest. Of a large study it has to be asked for
  # first. Scopes: `read`, `data`. For members of the study.
  get_everything = list(
    method = "GET",
    path = "studies/{slug}/exports/all.zip",
    gives = "file",
    query = c(format = "format", excel = "excel")
  ),
  # Download one file of the export. Streamed, byte for byte what the page and `export_data` give. With `since`, the
  # sessions that ended since an earlier export, each of them in exactly one export of the chain. Scopes: `read`,
  # `data`. For members of the study.
  get_export = list(
    method = "GET",
    path = "studies/{slug}/exports/{name}",
    gives = "file",
    query = c(excel = "excel", since = "since")
  ),
  # Ask for an archive of a large study. Scopes: `read`, `data`. For members of the study.
  create_archive = list(
    method = "POST",
    path = "studies/{slug}/exports/archives/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(format = "format", excel = "excel")
  ),
  # List the archives that you asked for. Scopes: `read`, `data`. For members of the study.
  list_archives = list(
    method = "GET",
    path = "studies/{slug}/exports/archives/",
    gives = "rows"
  ),
  # See how far an archive is. Scopes: `read`, `data`. For members of the study.
  get_archive = list(
    method = "GET",
    path = "studies/{slug}/exports/archives/{archive}/",
    gives = "json"
  ),
  # Download an archive that is ready. Scopes: `read`, `data`. For members of the study.
  download_archive = list(
    method = "GET",
    path = "studies/{slug}/exports/archives/{archive}.zip",
    gives = "file"
  ),
  # Download the list of people to pay. Recruitment ids with outcome, code and times, without pseudonyms. Scopes:
  # `read`, `data`, `identities`. For the owner of the study.
  get_payment_list = list(
    method = "GET",
    path = "studies/{slug}/payment.csv",
    gives = "file"
  ),
  # List the scores of texts. Scopes: `read`. For members of the study.
  list_scores = list(
    method = "GET",
    path = "studies/{slug}/scores/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor")
  ),
  # List the methods and their parameters. Scopes: `read`.
  list_methods = list(
    method = "GET",
    path = "methods/",
    gives = "rows"
  ),
  # List analyses. Scopes: `read`, `data`. For members of the study.
  list_runs = list(
    method = "GET",
    path = "studies/{slug}/runs/",
    gives = "rows",
    is_paged = TRUE,
    query = c(limit = "limit", cursor = "cursor", status = "status", method = "method")
  ),
  # Run an analysis. A worker computes it; ask for its state until it is done. Scopes: `read`, `write`, `data`. For
  # people who may edit the study.
  create_run = list(
    method = "POST",
    path = "studies/{slug}/runs/",
    gives = "json",
    creates = TRUE,
    takes_json = TRUE,
    body = c(method = "method", params = "params", table = "table", part = "part", other_study = "other_study")
  ),
  # See how far an analysis is. Scopes: `read`, `data`. For members of the study.
  get_run = list(
    method = "GET",
    path = "studies/{slug}/runs/{run}/",
    gives = "json"
  ),
  # Delete an analysis. Scopes: `read`, `write`, `data`. For people who may edit the study.
  delete_run = list(
    method = "DELETE",
    path = "studies/{slug}/runs/{run}/",
    gives = "nothing"
  ),
  # Stop an analysis. Scopes: `read`, `write`, `data`. For people who may edit the study.
  cancel_run = list(
    method = "POST",
    path = "studies/{slug}/runs/{run}/cancel/",
    gives = "json"
  ),
  # Download a file of a report. `report.json`, a table such as `anova.csv`, a figure as SVG, PNG or PDF, `report.html`,
  # or `all.zip`: the same bytes as the page gives. Scopes: `read`, `data`. For members of the study.
  get_run_file = list(
    method = "GET",
    path = "studies/{slug}/runs/{run}/{name}",
    gives = "file"
  ),
  # Download the study as a paper. Scopes: `read`, `data`. For members of the study.
  get_paper = list(
    method = "GET",
    path = "studies/{slug}/paper.zip",
    gives = "file"
  )
)
# Operations end.

# A function whose arguments are those of the operation: first what the address names, then the rest by name.
.lectern_function <- function(.connection, .operation) {
  force(.operation)
  told <- .lectern_operations[[.operation]]
  further <- c(
    if (length(told$uploads) && !isTRUE(told$takes_json)) "file", names(told$body), names(told$query),
    if (length(told$uploads) && isTRUE(told$takes_json)) told$form_files, if (length(told$uploads)) "content_type",
    if (isTRUE(told$is_guarded)) "if_match", if (isTRUE(told$creates)) "idempotency_key",
    if (told$gives == "file") "to"
  )
  taken <- unique(c(.lectern_in_path(told$path), further))
  made <- function() {
    .given <- lapply(as.list(match.call())[-1], eval, parent.frame())
    .lectern_do(.connection, .operation, .given)
  }
  formals(made) <- stats::setNames(rep(alist(a = ), length(taken)), taken)
  made
}

.lectern_in_path <- function(path) {
  regmatches(path, gregexpr("(?<=\\{)\\w+(?=\\})", path, perl = TRUE))[[1]]
}

.lectern_do <- function(connection, name, given) {
  told <- .lectern_operations[[name]]
  address <- .lectern_path(told$path, given)
  query <- .lectern_sent(told$query, given)
  values <- .lectern_sent(told$body, given)
  headers <- list()
  body <- NULL
  files <- Filter(Negate(is.null), given[intersect(names(given), union("file", told$form_files))])
  if (length(files) && is.null(files$file)) {
    .lectern_unusable(sprintf("%s goes with a study file; give it as `file`.", names(files)[1]))
  }
  if (length(files)) {
    for (file in files) .lectern_readable(file)
    is_body <- !length(told$form_files) || (.lectern_is_archive(files$file) && length(files) == 1)
    strange <- setdiff(names(values), told$form_texts)
    if (length(strange)) {
      .lectern_unusable(sprintf("%s cannot be given with a file, which says it.", paste(strange, collapse = ", ")))
    }
    if (is_body) {
      query <- c(query, values)
      headers[["Content-Type"]] <- .lectern_type_of(files$file, given$content_type, told$uploads)
      body <- readBin(files$file, "raw", file.size(files$file))
    } else {
      body <- c(lapply(values, .lectern_text), lapply(files, curl::form_file, type = "application/octet-stream"))
    }
  } else if (length(told$uploads) && !isTRUE(told$takes_json)) {
    .lectern_unusable("`file` is missing: the path of what is sent.")
  } else if (isTRUE(told$takes_json)) {
    headers[["Content-Type"]] <- "application/json"
    body <- charToRaw(enc2utf8(.lectern_json(values, told$lists)))
  } else if (told$method == "POST") {
    body <- raw(0)
  }
  if (isTRUE(told$is_guarded)) {
    headers[["If-Match"]] <- if (is.null(given$if_match)) {
      .lectern_etag(connection, address, query)
    } else {
      given$if_match
    }
  }
  if (isTRUE(told$creates)) {
    key <- given$idempotency_key
    headers[["Idempotency-Key"]] <- if (is.null(key)) .lectern_key(connection) else key
  }
  for (header in names(headers)) {
    value <- headers[[header]]
    if (!is.character(value) || length(value) != 1 || !grepl("^[ -~]+$", value, perl = TRUE)) {
      .lectern_unusable(sprintf("What was given for the header %s cannot be sent there.", header))
    }
  }
  request <- list(method = told$method, path = address, query = query, headers = headers, body = body)
  value <- switch(told$gives,
    rows = .lectern_rows(connection, request, isTRUE(told$is_paged)),
    file = .lectern_file(connection, request, given$to),
    json = .lectern_parsed(.lectern_ask(connection, request)),
    nothing = {
      .lectern_ask(connection, request)
      NULL
    }
  )
  # What was done is printed only if somebody asks for it; so is where a file was written.
  if (told$method == "GET" && is.null(given$to)) value else invisible(value)
}

# What of the arguments is sent, by the names under which it is sent.
.lectern_sent <- function(names_sent, given) {
  used <- intersect(names(names_sent), names(given))
  stats::setNames(given[used], unname(names_sent[used]))
}

.lectern_path <- function(path, given) {
  for (name in .lectern_in_path(path)) {
    value <- given[[name]]
    if (is.null(value)) .lectern_unusable(sprintf("`%s` is missing.", name))
    text <- if (is.numeric(value)) format(value, scientific = FALSE, trim = TRUE) else as.character(value)
    if (length(text) != 1 || is.na(text) || text %in% c("", ".", "..") || grepl("/", text, fixed = TRUE)) {
      .lectern_unusable(sprintf("`%s` cannot be a part of an address.", name))
    }
    path <- sub(sprintf("{%s}", name), utils::URLencode(enc2utf8(text), reserved = TRUE), path, fixed = TRUE)
  }
  path
}

.lectern_base <- function(address, allow_http) {
  is_address <- is.character(address) && length(address) == 1 && !is.na(address) &&
    grepl("^https?://[^/@?#[:space:]]+(/[^?#[:space:]]*)?$", address)
  if (!is_address) {
    .lectern_unusable("The address is not one of a platform; it looks like https://lectern.example.org.")
  }
  host <- sub(":[0-9]+$", "", sub("^https?://([^/]+).*$", "\\1", address))
  if (grepl("^http:", address) && !host %in% c("localhost", "127.0.0.1", "[::1]") && !isTRUE(allow_http)) {
    .lectern_unusable(paste(
      "With http:// everybody on the way can read the token. Use https://, or allow_http = TRUE within a network of",
      "your own."
    ))
  }
  paste0(sub("/api/v1$", "", sub("/+$", "", address)), "/api/v1/")
}

# --- requests -------------------------------------------------------------------------------------------------------

# Return status, headers and content of an answer; what is read or has a key is tried again within three minutes.
.lectern_ask <- function(connection, request, to = NULL) {
  may_be_repeated <- request$method == "GET" || !is.null(request$headers[["Idempotency-Key"]])
  waited <- 0
  wait <- .lectern_first_wait
  for (attempt in seq_len(.lectern_tries)) {
    answer <- tryCatch(.lectern_once(connection, request, to), lectern_problem = function(problem) problem)
    if (!inherits(answer, "lectern_problem")) {
      .lectern_note(connection, request, answer$etag)
      return(answer)
    }
    again <- answer$status %in% c(429, 503) || answer$code %in% c("in-progress", "no-connection")
    pause <- if (is.null(answer$retry_after)) wait else answer$retry_after
    is_last <- attempt == .lectern_tries || pause > .lectern_longest_wait ||
      waited + pause > .lectern_longest_altogether
    if (!(again && may_be_repeated) || is_last) stop(answer)
    Sys.sleep(pause)
    waited <- waited + pause
    wait <- wait * 2
  }
}

.lectern_once <- function(connection, request, to) {
  url <- paste0(connection$base, request$path)
  if (length(request$query)) {
    pairs <- vapply(names(request$query), function(name) {
      paste0(name, "=", utils::URLencode(enc2utf8(.lectern_text(request$query[[name]])), reserved = TRUE))
    }, "")
    url <- paste0(url, "?", paste(pairs, collapse = "&"))
  }
  handle <- curl::new_handle()
  headers <- c(list(Authorization = paste("Bearer", connection$token), `User-Agent` = "lectern.R", Expect = ""),
               request$headers)
  curl::handle_setheaders(handle, .list = headers)
  # The token is for this address alone, so no answer leads to another one.
  curl::handle_setopt(handle, followlocation = FALSE, customrequest = request$method,
                      connecttimeout = connection$timeout, low_speed_limit = 1, low_speed_time = connection$timeout)
  if (is.list(request$body)) {
    curl::handle_setform(handle, .list = request$body)
  } else if (!is.null(request$body)) {
    curl::handle_setopt(handle, postfieldsize = length(request$body), postfields = request$body)
  }
  host <- sub("^https?://([^/]+).*$", "\\1", connection$base)
  answer <- tryCatch(
    if (is.null(to)) curl::curl_fetch_memory(url, handle) else curl::curl_fetch_disk(url, to, handle),
    error = function(broken) {
      said <- sub("\\.*[[:space:]]*$", "", conditionMessage(broken))
      .lectern_stop("no-connection", sprintf("%s cannot be reached, or the connection broke: %s.", host, said))
    }
  )
  told <- curl::parse_headers_list(answer$headers)
  if (answer$status_code >= 300) {
    content <- if (is.null(to)) answer$content else readBin(to, "raw", min(file.size(to), 4e6))
    .lectern_refuse(answer$status_code, told, content)
  }
  list(status = answer$status_code, content = answer$content, etag = told$etag, cursor = told[["lectern-cursor"]],
       type = told[["content-type"]])
}

.lectern_refuse <- function(status, headers, content) {
  retry_after <- suppressWarnings(as.numeric(headers[["retry-after"]]))
  if (length(retry_after) != 1 || is.na(retry_after)) retry_after <- NULL
  if (status < 400) {
    there <- sub("^(https?://[^/]+).*$", "\\1", if (is.null(headers$location)) "another address" else headers$location)
    .lectern_stop("moved", sprintf("The platform is at %s. Use that address; nothing was done.", there), status)
  }
  told <- tryCatch(jsonlite::fromJSON(.lectern_utf8(content), simplifyVector = FALSE), error = function(e) NULL)
  if (is.list(told) && is.character(told$detail) && is.character(told$code)) {
    .lectern_stop(told$code, told$detail, status, told$faults, retry_after)
  }
  .lectern_stop(
    "unexpected-answer",
    sprintf("The answer has the status %d, and what answers does not speak as Lectern does. Check the address.", status),
    status, retry_after = retry_after
  )
}

.lectern_stop <- function(code, detail, status = 0, faults = list(), retry_after = NULL) {
  said <- vapply(utils::head(faults, 5), function(fault) {
    places <- c(fault$place, if (!is.null(fault$line)) paste("line", fault$line),
                if (!is.null(fault$column) && nzchar(fault$column)) paste("column", fault$column))
    places <- paste(places[nzchar(places)], collapse = ", ")
    paste0(if (nzchar(places)) paste0(places, ": "), trimws(paste(fault$message, fault$suggestion)))
  }, "")
  more <- if (length(faults) > 5) sprintf("%d more are in $faults.", length(faults) - 5L)
  message <- paste(c(detail, said, more), collapse = " ")
  problem <- list(message = message, call = NULL, code = code, detail = detail, status = status, faults = faults,
                  retry_after = retry_after)
  class(problem) <- c("lectern_problem", "error", "condition")
  stop(problem)
}

.lectern_unusable <- function(detail) .lectern_stop("not-usable", paste(detail, "Nothing was sent."))

# --- ETags and keys -------------------------------------------------------------------------------------------------

.lectern_place <- function(address, query) paste0(address, "?", if (is.null(query$part)) "" else query$part)

.lectern_etag <- function(connection, address, query) {
  place <- .lectern_place(address, query)
  if (is.null(connection$etags[[place]])) {
    part <- query[names(query) == "part"]
    .lectern_ask(connection, list(method = "GET", path = address, query = part, headers = list(), body = NULL))
  }
  etag <- connection$etags[[place]]
  if (is.null(etag)) "*" else etag
}

# Remember an ETag. What this client changes in a study may change other ETags of it, so they are forgotten.
.lectern_note <- function(connection, request, etag) {
  if (request$method != "GET") {
    study <- paste0(paste(utils::head(strsplit(request$path, "/")[[1]], 2), collapse = "/"), "/")
    known <- ls(connection$etags, all.names = TRUE)
    rm(list = known[startsWith(known, study)], envir = connection$etags)
  }
  if (!is.null(etag) && request$method != "DELETE") {
    connection$etags[[.lectern_place(request$path, request$query)]] <- etag
  }
}

# A key that no other request has. The generator of random numbers is left alone: it belongs to the analysis.
.lectern_key <- function(connection) {
  connection$keys <- connection$keys + 1
  now <- format(as.numeric(Sys.time()), digits = 20)
  paste("r", now, Sys.getpid(), basename(tempfile("")), connection$keys, sep = "-")
}

# --- values, rows and files -----------------------------------------------------------------------------------------

.lectern_text <- function(value) {
  if (is.logical(value)) return(tolower(as.character(value)))
  if (is.numeric(value)) return(format(value, scientific = FALSE, trim = TRUE, digits = 15))
  as.character(value)
}

.lectern_json <- function(values, lists) {
  for (name in names(values)) {
    value <- values[[name]]
    if (name %in% lists && !is.null(value)) {
      values[[name]] <- as.list(unname(value))
    } else if (is.list(value) && !length(value)) {
      values[[name]] <- stats::setNames(list(), character(0))
    }
  }
  if (!length(values)) return("{}")
  tryCatch(
    as.character(jsonlite::toJSON(values, auto_unbox = TRUE, null = "null", na = "null", digits = NA)),
    error = function(wrong) {
      .lectern_unusable(sprintf("The values cannot be written as JSON: %s.", conditionMessage(wrong)))
    }
  )
}

.lectern_utf8 <- function(content) {
  text <- rawToChar(content[content != as.raw(0)])
  Encoding(text) <- "UTF-8"
  text
}

.lectern_parsed <- function(answer, ...) {
  force(answer)
  tryCatch(
    jsonlite::fromJSON(.lectern_utf8(answer$content), simplifyVector = FALSE, ...),
    error = function(wrong) {
      .lectern_stop("unexpected-answer", "What answers at this address is not Lectern. Check the address.",
                    answer$status)
    }
  )
}

# All rows of a list as a data frame, page by page.
.lectern_rows <- function(connection, request, is_paged) {
  pages <- list()
  seen <- character(0)
  repeat {
    answer <- .lectern_ask(connection, request)
    page <- .lectern_parsed(answer)
    if (length(page$items)) {
      rows <- jsonlite::fromJSON(.lectern_utf8(answer$content), flatten = TRUE)$items
      pages[[length(pages) + 1]] <- rows
    }
    cursor <- page$next_cursor
    if (!is_paged || is.null(cursor)) break
    if (cursor %in% seen) {
      .lectern_stop("unexpected-answer", "The list leads back to a page that was there before.", answer$status)
    }
    seen <- c(seen, cursor)
    request$query$cursor <- cursor
  }
  if (length(pages)) jsonlite::rbind_pages(pages) else data.frame()
}

# A file: written to `to` (a path, or a folder) while it comes, whole or not at all; else a data frame, a list, or bytes.
.lectern_file <- function(connection, request, to) {
  folder <- if (is.null(to)) tempdir() else if (dir.exists(to)) to else dirname(to)
  if (!dir.exists(folder)) .lectern_unusable(sprintf("There is no folder %s.", folder))
  part <- tempfile(".lectern-", folder)
  on.exit(unlink(part))
  answer <- .lectern_ask(connection, request, to = part)
  cursor <- answer$cursor
  if (!is.null(to)) {
    target <- if (dir.exists(to)) file.path(to, basename(request$path)) else to
    if (!file.rename(part, target)) .lectern_stop("not-usable", sprintf("%s cannot be written.", target))
    return(structure(target, cursor = cursor))
  }
  type <- sub(";.*$", "", answer$type)
  if (type == "text/csv") {
    table <- utils::read.csv(part, na.strings = "", check.names = FALSE, colClasses = "character",
                             encoding = "UTF-8", comment.char = "")
    # Files for spreadsheets begin with a mark.
    names(table)[1] <- sub("^\xef\xbb\xbf", "", names(table)[1], useBytes = TRUE)
    Encoding(names(table)) <- "UTF-8"
    table[] <- lapply(table, .lectern_typed)
    attr(table, "cursor") <- cursor
    return(table)
  }
  content <- readBin(part, "raw", file.size(part))
  if (type == "application/json") .lectern_parsed(list(content = content, status = answer$status)) else content
}

# The values of a column: `true` and `false` are how files of the platform say so; T and F are texts there.
.lectern_typed <- function(texts) {
  given <- texts[!is.na(texts)]
  if (length(given) && all(given %in% c("true", "false"))) return(texts == "true")
  if (length(given) && all(given %in% c("T", "F", "TRUE", "FALSE"))) return(texts)
  utils::type.convert(texts, as.is = TRUE, na.strings = "")
}

.lectern_report_tables <- function(report) {
  tables <- lapply(report$tables, function(table) {
    columns <- lapply(seq_along(table$columns), function(at) {
      values <- lapply(table$rows, function(row) if (is.null(row[[at]])) NA else row[[at]])
      if (all(lengths(values) == 1)) unlist(values) else I(values)
    })
    names(columns) <- vapply(table$columns, function(column) column$name, "")
    structure(columns, class = "data.frame", row.names = seq_along(table$rows))
  })
  stats::setNames(tables, vapply(report$tables, function(table) table$name, ""))
}

.lectern_readable <- function(file) {
  if (!is.character(file) || length(file) != 1 || !file.exists(file) || dir.exists(file)) {
    .lectern_unusable(sprintf("%s cannot be read as a file.", paste(format(file), collapse = " ")))
  }
}

.lectern_is_archive <- function(file) identical(readBin(file, "raw", 2), charToRaw("PK"))

.lectern_type_of <- function(file, given, taken) {
  if (!is.null(given)) return(given)
  told <- .lectern_types[tolower(sub("^.*\\.", "", basename(file)))]
  if (is.na(told) && .lectern_is_archive(file)) told <- .lectern_types["zip"]
  if (unname(told) %in% taken) return(unname(told))
  if ("application/octet-stream" %in% taken) return("application/octet-stream")
  if (length(taken) == 1) return(taken)
  .lectern_unusable(sprintf("%s is none of %s; say which in content_type.", file, paste(taken, collapse = ", ")))
}

# --- waiting --------------------------------------------------------------------------------------------------------

.lectern_wait <- function(ask, what, seconds, progress) {
  end <- as.numeric(Sys.time()) + seconds
  pause <- 0.3
  before <- ""
  repeat {
    found <- ask()
    far <- if (is.null(found$progress)) {
      sprintf("%d of %d", found$done, found$participants)
    } else {
      trimws(sprintf("%.0f%% %s", 100 * found$progress, found$progress_note))
    }
    told <- sprintf("%s: %s, %s", what, found$status, far)
    if (isTRUE(progress) && told != before) message(told)
    before <- told
    if (found$status == "done") return(invisible(found))
    if (found$status %in% c("failed", "cancelled")) {
      ended <- if (found$status == "failed") "failed" else "was cancelled"
      .lectern_stop(found$status, trimws(sprintf("%s %s. %s", what, ended, paste(found$error, collapse = " "))))
    }
    if (as.numeric(Sys.time()) + pause > end) {
      .lectern_stop("not-finished", sprintf("%s, and not done after %g seconds. Wait again.", told, seconds))
    }
    Sys.sleep(pause)
    pause <- min(pause * 1.5, 5)
  }
}
