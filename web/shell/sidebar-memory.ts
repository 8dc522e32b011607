import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

export interface SidebarMemory {
  narrow: boolean
  /** Next to a canvas it starts narrow until opened. */
  wideByCanvas: boolean
  folded: string[]
}

const sidebarKey = 'keeper-sidebar'

export function readSidebarMemory(): SidebarMemory {
  try {
    const stored = JSON.parse(readSetting(sidebarKey) ?? '{}') as Partial<SidebarMemory> | null
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
  writeSetting(sidebarKey, JSON.stringify(memory))
}
