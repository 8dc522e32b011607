export type ClassName = string | false | null | undefined

/** Joins only. Two utilities for the same property do not replace each other: pass layout classes, not looks. */
export function classNames(...names: ClassName[]): string {
  return names.filter(Boolean).join(' ')
}
