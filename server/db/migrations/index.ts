import type { Migration } from '../migrate.ts'
import { house } from './0001-house.ts'

/** In order; a released one is never changed. */
export const migrations: Migration[] = [house]
