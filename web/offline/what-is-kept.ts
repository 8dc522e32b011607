interface WhatIsKept {
  /** ISO time of the oldest cached answer shown since the server was last reached; null if all data is fresh. */
  asOf: string | null
  /** False where this browser can't store anything beyond this page. */
  lasting: boolean
}

let present: WhatIsKept = { asOf: null, lasting: true }
const listeners = new Set<() => void>()

/** Separate from the store, so that the shell needn't load it. */
export const whatIsKept = (): WhatIsKept => present

export function onWhatIsKept(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** A cached answer was shown. */
export function noteKeptRead(at: string): void {
  if (present.asOf === null || at < present.asOf) note({ asOf: at })
}

/** All data is being refetched. */
export function noteFreshReads(): void {
  if (present.asOf !== null) note({ asOf: null })
}

export function noteNothingLasts(): void {
  note({ lasting: false })
}

function note(changes: Partial<WhatIsKept>): void {
  present = { ...present, ...changes }
  for (const changed of listeners) changed()
}
