import { useCallback, useState } from 'react'
import { readSidebarMemory, type SidebarMemory, writeSidebarMemory } from './sidebar-memory.ts'

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
