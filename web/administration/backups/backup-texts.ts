import type { Backup, BackupJob, BackupProblem, CountedEntity } from '#contract/administration/backups.ts'

export const backupKindLabels: Record<Backup['kind'], string> = {
  manual: 'Manual',
  scheduled: 'Scheduled',
  'before-restore': 'Before a restore',
  'before-upgrade': 'Before an upgrade',
}

export const backupProblemTexts: Record<BackupProblem, string> = {
  failed: 'Something failed on the server. The reason is in its log.',
  'no-room': 'The disk of the data folder has too little free space.',
  damaged: 'The backup is damaged or incomplete.',
  'newer-version': 'A newer version of Keeper made it.',
  'other-key': 'It was made with another master key.',
  'other-processes': 'Other processes of Keeper are running.',
  'other-disk': 'The pictures are on another disk, so they can’t be replaced while Keeper runs.',
}

export const jobLabels: Record<BackupJob['kind'], string> = {
  create: 'Making a backup',
  check: 'Checking a backup',
  restore: 'Restoring a backup',
}

const outcomeLabels: Record<BackupJob['kind'], Record<'done' | 'failed' | 'interrupted', string>> = {
  create: { done: 'A backup was made.', failed: 'A backup failed.', interrupted: 'A backup was interrupted.' },
  check: { done: 'A backup was checked.', failed: 'A check failed.', interrupted: 'A check was interrupted.' },
  restore: {
    done: 'A backup was restored.',
    failed: 'A restore failed. The data is as it was before.',
    interrupted: 'A restore was interrupted. The data is as it was before.',
  },
}

export function formatOutcome({ kind, status, problem, is_scheduled }: BackupJob): string {
  if (status === 'running') return jobLabels[kind]
  const outcome = outcomeLabels[kind][status]
  const text = is_scheduled ? outcome.replace('A backup', 'The scheduled backup') : outcome
  return problem ? `${text} ${backupProblemTexts[problem]}` : text
}

export const entityLabels: Record<CountedEntity, string> = {
  people: 'People',
  keepers: 'Keepers',
  moments: 'Moments',
  reflections: 'Reflections',
  memory_cards: 'Memory cards',
  media: 'Pictures and recordings',
  agents: 'Agents',
  messages: 'Chat messages',
  boards: 'Boards',
}

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

export function formatContents({ engine, version, is_current_version, has_media, file_count }: Backup): string {
  const parts = [
    engine && engineNames[engine],
    version && (is_current_version ? 'this version' : `version ${version}`),
    has_media ? null : file_count > 0 && 'database only',
  ]
  return parts.filter(Boolean).join(', ')
}
