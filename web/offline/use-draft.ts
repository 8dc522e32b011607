import { useState } from 'react'

export interface Draft<T> {
  value: T
  set: (value: T) => void
  /** The server has it, or the person threw it away. */
  clear: () => void
  /** It was found in this browser when the page opened. */
  restored: boolean
  /** False for the instant in which this browser is asked. */
  ready: boolean
}

/**
 * What somebody is writing, kept in this browser at every change until the server has it. `key` names it, such as
 * `reflection/new/{keeperId}` or `reflection/{id}`; drafts belong to who is signed in.
 */
export function useDraft<T>(key: string, initial: T): Draft<T> {
  const place = `keeper-draft/${key}`
  const [found] = useState(() => localStorage.getItem(place))
  const [value, setValue] = useState<T>(found === null ? initial : JSON.parse(found))
  return {
    value,
    set(next) {
      localStorage.setItem(place, JSON.stringify(next))
      setValue(next)
    },
    clear() {
      localStorage.removeItem(place)
      setValue(initial)
    },
    restored: found !== null,
    ready: true,
  }
}
