// Where each assumption comes from, by hand: what recordings of the service, the notes of those who made them, and its reference of
// 2019 say, the best source first. A row that none of them carries is assumed, also where one contradicts what the contract demands.
// The rows at the end of each list came with the recordings.

export const assumptionSources = {
  recorded: `folder-list-kind folder-lists task-lists list-pages record-shapes create-records change-folder task-items
    file-contents task-read read-by-id folder-tasks date-without-time webhook-id-pattern space-id-pattern permalinks
    deprecated-names delete-task task-dependencies parameter-place contact-filters contact-type
    new-assignee stored-html subtask-parent`,
  noted: `completed-date unknown-parameter start-alone custom-field-types
    already-deleted bin-tasks field-of-other-space item-limits root-by-id`,
  reference: `version operation-scopes audit-log invitations plain-lists attach-file comment-plain-text timelog-groups
    loose-booleans unencoded-json
    field-without-value reference-endpoints item-lists several-records task-filters folder-subtasks`,
  // Restoring a folder is recorded, and in change-folder; what restore does to a task that is not deleted is in no source.
  assumed: `task-title-filter audit-log-scopes restore lenient-json task-order webhook-query weekend-dates
    webhook-delete-response signature-text handshake-body handshake-failure delivery-timing delivery-timeout
    parameterised-events-alone webhook-record events-per-delivery shared-idempotency-key suspension-notice retry-pauses empty-list
    unknown-custom-field idle-webhook same-hook-url foreign-webhook space-webhook-folder empty-custom-field old-item-type
    recurrence-field events-without-subject delivery-secret-header delivery-spacing other-statuses payload-field-members
    retry-order inactive-user inactive-author former-user
    token-endpoint-errors loopback-redirect refresh-host v3-token refresh-response access-token-after-refresh code-reuse
    token-query unauthorized-body token-twice basic-credentials both-credentials pkce unknown-token-parameter
    empty-token-parameter authorization-errors unknown-scope refresh-scope missing-scope
    rate-limit deleted-task-update licence-status unresolved-id one-unknown-id deleted-task-items other-account due-before-start
    contradictory-dates priority-contradiction super-task-loop custom-status-group item-type-of-projects allocation-assignee
    other-endpoints version-3-paths filter-ids
    state-echo long-values other-methods method-parameter double-slash letter-case quoted-filter trailing-slash
    repeated-parameter plus-sign json-in-json multipart-parameters query-length body-length content-encoding json-depth
    due-date-sort duration-with-due duration-with-start batch character-count type-without-dates three-dates priority-list
    other-html surrogate-halves effort-replaced`,
} as const;
