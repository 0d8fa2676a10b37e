// The `kind` of an answer: the closed list of entity types that an answer's `data` can hold.

export const kinds = [
  'accounts', 'users', 'contacts', 'assets', 'eDiscoveryReport', 'folders', 'folderTree', 'tasks', 'taskIds',
  'timelogs', 'timelogCategories', 'timelogLockPeriods', 'timetrackerTimers', 'comments', 'attachments', 'url',
  'version', 'dataExport', 'dataExportSchema', 'auditLog', 'accessRoles', 'stream', 'changes', 'posts', 'mailSettings',
  'integrationInfo', 'gmailIntegrationSettings', 'workTypesForIntegrations', 'ids', 'backups', 'domains',
  'dependencies', 'workflows', 'workschedules', 'workscheduleExclusions', 'workscheduleUserExclusions', 'customfields',
  'customfieldIds', 'customstatuses', 'invitations', 'notifications', 'jobroles', 'placeholders', 'groups', 'session',
  'dashboards', 'widgets', 'taskCreationSettings', 'colors', 'experiments', 'topics', 'topicComments', 'webhooks',
  'reviews', 'boards', 'textSearch', 'chatChannels', 'chatMessages', 'forms', 'requestForms', 'request', 'report',
  'platformWidgets', 'platformWidgetInstances', 'spaces', 'pdf', 'customerSatisfaction', 'asyncJob', 'approvals',
  'highlights', 'highlightsList', 'highlightsSettings', 'highlightsCard', 'timesheet', 'timesheetRow',
  'timesheetSubmissionRule', 'mobileFeatures', 'mobileSettings', 'folderBlueprintTree', 'taskBlueprintTree', 'feedback',
  'timeline_snapshot', 'contactIds', 'bookings', 'integrateThreshold', 'hourlyRatesProvision', 'hourlyRates',
  'projectTeamMembers', 'contactsHistory', 'tasksHistory', 'foldersHistory', 'activityDigest', 'workItemTemplates',
  'workTemplates', 'workItemMetadata', 'workItem', 'customItemTypes', 'verificationCode', 'views', 'listView',
  'tableView', 'userTypes', 'reactions', 'externalRequesters', 'workscheduleCapacityOverrides', 'userCapacityOverrides',
  'userCapacityExclusions', 'rollups', 'requestFormPrefill', 'cascadingFieldSettings',
] as const;

export type Kind = (typeof kinds)[number];
