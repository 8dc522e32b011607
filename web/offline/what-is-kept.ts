interface WhatIsKept {
  /** Since when what is shown may have changed: of the oldest kept answer since the server was heard last; `null`: all is fresh. */
  asOf: string | null
  /** False where this browser refuses to keep anything past this page. */
  lasting: boolean
}

let present: WhatIsKept = { asOf: null, lasting: true }
const listeners = new Set<() => void>()

/** What the line about an unreachable server has to say; apart from the vault, so that the shell need not carry it. */
export const whatIsKept = (): WhatIsKept => present

export function onWhatIsKept(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Something kept was shown in place of an answer. */
export function noteKeptRead(at: string): void {
  if (present.asOf === null || at < present.asOf) note({ asOf: at })
}

/** Everything on the page is asked for anew. */
export function noteFreshReads(): void {
  if (present.asOf !== null) note({ asOf: null })
}

/** The browser refused: what is kept is kept in memory. */
export function noteNothingLasts(): void {
  note({ lasting: false })
}

function note(changes: Partial<WhatIsKept>): void {
  present = { ...present, ...changes }
  for (const changed of listeners) changed()
}
