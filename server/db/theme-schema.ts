import type { Generated } from 'kysely'
import type { Theme } from '#contract/themes/themes.ts'
import type { Json, Milliseconds } from './parameters.ts'

export interface ThemeSchema {
  themes: {
    id: string
    owner_id: string
    slug: string
    name: string
    note: string
    light: Json<Theme['light']>
    dark: Json<Theme['dark']>
    basis: Generated<Theme['basis']>
    visibility: Theme['visibility']
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
    deleted_at: Milliseconds | null
  }
}
