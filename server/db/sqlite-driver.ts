import type { EngineDriver } from './engine-driver.ts'
export async function openSqliteDriver(_dataDir: string): Promise<EngineDriver> { throw new Error('not there yet') }
