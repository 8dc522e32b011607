import { recall, remember } from '#web/browser-memory.ts'

/** What this browser remembers of the sidebar: narrow or wide, and which sections are folded. */
export interface SidebarMemory {
  narrow: boolean
  /** Beside a canvas it is narrow until somebody opens it there. */
  wideByCanvas: boolean
  folded: string[]
}

const key = 'keeper-sidebar'

export function readSidebarMemory(): SidebarMemory {
  try {
    const stored = JSON.parse(recall(key) ?? '{}') as Partial<SidebarMemory> | null
    return {
      narrow: stored?.narrow === true,
      wideByCanvas: stored?.wideByCanvas === true,
      folded: Array.isArray(stored?.folded) ? stored.folded.filter((id) => typeof id === 'string') : [],
    }
  } catch {
    return { narrow: false, wideByCanvas: false, folded: [] }
  }
}

export function writeSidebarMemory(memory: SidebarMemory): void {
  remember(key, JSON.stringify(memory))
}
