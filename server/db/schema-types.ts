import type { ColumnType } from 'kysely'
import type { JsonText } from './parameters.ts'

export type Milliseconds = number
export type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>
export type JsonWithDefault<T> = ColumnType<T, JsonText<T> | undefined, JsonText<T>>
export type JsonOrNull<T> = ColumnType<T | null, JsonText<T> | null, JsonText<T> | null>
