import type { ColumnType, Generated } from 'kysely'
import type { Theme } from '#contract/themes/themes.ts'
import type { JsonText } from './parameters.ts'

/** Milliseconds since 1970, UTC. */
type Milliseconds = number
type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>

export interface ThemeSchema {
  themes: {
    id: string
    owner_id: string
    /** Unique among all people, and none of the slugs Keeper comes with. */
    slug: string
    name: string
    note: string
    light: Json<Theme['light']>
    dark: Json<Theme['dark']>
    /** Which of Keeper's own themes it was made from. */
    basis: ColumnType<Theme['basis'], Theme['basis'] | undefined, Theme['basis']>
    visibility: Theme['visibility']
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
    /** In the bin since then; nobody sees it, its owner may take it back. */
    deleted_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
  }
}
