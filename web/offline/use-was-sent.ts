import { useState } from 'react'
import { usePendingWrites } from './use-pending-writes.ts'

/** Whether what was kept in this browser is on the server by now: it waited, and does not any more. `thing`: its id. */
export function useWasSent(keeperId: string, thing: string): boolean {
  const waits = usePendingWrites(keeperId).some((write) => write.thing === thing)
  const [waited, setWaited] = useState(false)
  if (waits && !waited) setWaited(true)
  return waited && !waits
}
