import { useCallback, useState } from 'react'
import { readSidebarMemory, type SidebarMemory, writeSidebarMemory } from './sidebar-memory.ts'

export interface SidebarState extends SidebarMemory {
  toggleNarrow: () => void
  toggleSection: (id: string) => void
}

export function useSidebar(byCanvas: boolean): SidebarState {
  const [memory, setMemory] = useState(readSidebarMemory)
  const change = useCallback((next: (memory: SidebarMemory) => SidebarMemory) => {
    // Reread storage: another tab may have changed it.
    const changed = next(readSidebarMemory())
    writeSidebarMemory(changed)
    setMemory(changed)
  }, [])
  const toggleNarrow = useCallback(
    () =>
      change((memory) =>
        byCanvas ? { ...memory, wideByCanvas: !memory.wideByCanvas } : { ...memory, narrow: !memory.narrow },
      ),
    [change, byCanvas],
  )
  const toggleSection = useCallback(
    (id: string) =>
      change((memory) => ({
        ...memory,
        folded: memory.folded.includes(id) ? memory.folded.filter((other) => other !== id) : [...memory.folded, id],
      })),
    [change],
  )
  const narrow = byCanvas ? !memory.wideByCanvas : memory.narrow
  return { ...memory, narrow, toggleNarrow, toggleSection }
}
