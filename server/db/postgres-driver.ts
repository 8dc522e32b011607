import type { EngineDriver } from './engine-driver.ts'
export async function openPostgresDriver(_databaseUrl: string): Promise<EngineDriver> { throw new Error('not there yet') }
