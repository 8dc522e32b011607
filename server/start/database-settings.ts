import type { DatabaseSettings } from '../db/database.ts'
import type { Settings } from '../settings/settings.ts'

type DatabaseSettingNames = 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseCaFile'

export function toDatabaseSettings(settings: Pick<Settings, DatabaseSettingNames>): DatabaseSettings {
  const { dataDir, databaseUrl, databaseDirectUrl, databaseCaFile } = settings
  if (databaseUrl === null) return { dataDir }
  return { dataDir, databaseUrl, directUrl: databaseDirectUrl ?? undefined, caFile: databaseCaFile ?? undefined }
}
