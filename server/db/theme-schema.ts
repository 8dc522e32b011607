import type { ColumnType, Generated } from 'kysely'
import type { Theme } from '#contract/themes/themes.ts'
import type { JsonText } from './parameters.ts'

type Milliseconds = number
type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>

export interface ThemeSchema {
  themes: {
    id: string
    owner_id: string
    slug: string
    name: string
    note: string
    light: Json<Theme['light']>
    dark: Json<Theme['dark']>
    basis: ColumnType<Theme['basis'], Theme['basis'] | undefined, Theme['basis']>
    visibility: Theme['visibility']
    created_at: Milliseconds
    updated_at: Milliseconds
    rev: Generated<number>
    deleted_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
  }
}
