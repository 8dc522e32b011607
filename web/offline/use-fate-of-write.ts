import { useState } from 'react'
import { wasThrownAway } from './pending-list.ts'
import { usePendingWrites } from './use-pending-writes.ts'

export function useFateOfWrite(keeperId: string, thing: string): 'kept' | 'sent' | 'thrown-away' {
  const waits = usePendingWrites(keeperId).some((write) => write.thing === thing)
  const [waited, setWaited] = useState(false)
  if (waits && !waited) setWaited(true)
  if (!waited || waits) return 'kept'
  return wasThrownAway(thing) ? 'thrown-away' : 'sent'
}
