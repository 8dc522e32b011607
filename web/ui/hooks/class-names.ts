export type ClassNameInput = string | false | null | undefined

/** Joins only: utilities for the same property don't override each other. */
export function classNames(...names: ClassNameInput[]): string {
  return names.filter(Boolean).join(' ')
}
