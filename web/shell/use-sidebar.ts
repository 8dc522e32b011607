import { useCallback, useState } from 'react'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

interface SidebarMemory {
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

export interface SidebarState extends SidebarMemory {
  toggleNarrow: () => void
  toggleSection: (id: string) => void
}

export function useSidebar(isNextToCanvas: boolean): SidebarState {
  const [memory, setMemory] = useState(readSidebarMemory)
  const updateMemory = useCallback((next: (memory: SidebarMemory) => SidebarMemory) => {
    // Reread storage: another tab may have changed it.
    const updatedMemory = next(readSidebarMemory())
    writeSidebarMemory(updatedMemory)
    setMemory(updatedMemory)
  }, [])
  const toggleNarrow = useCallback(
    () =>
      updateMemory((memory) =>
        isNextToCanvas ? { ...memory, wideByCanvas: !memory.wideByCanvas } : { ...memory, narrow: !memory.narrow },
      ),
    [updateMemory, isNextToCanvas],
  )
  const toggleSection = useCallback(
    (id: string) =>
      updateMemory((memory) => ({
        ...memory,
        folded: memory.folded.includes(id)
          ? memory.folded.filter((foldedId) => foldedId !== id)
          : [...memory.folded, id],
      })),
    [updateMemory],
  )
  const narrow = isNextToCanvas ? !memory.wideByCanvas : memory.narrow
  return { ...memory, narrow, toggleNarrow, toggleSection }
}
