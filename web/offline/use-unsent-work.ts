import { useCallback, useEffect, useState } from 'react'
import { type DraftRecord, listDrafts } from './draft-store.ts'
import { isUnsent } from './is-unsent.ts'
import { getCurrentStore } from './local-store.ts'
import { usePendingWrites } from './use-pending-writes.ts'

interface UnsentDrafts {
  newest: DraftRecord[]
  older: DraftRecord[]
}

const noDrafts: UnsentDrafts = { newest: [], older: [] }

export function useUnsentWork() {
  const writes = usePendingWrites()
  const [drafts, setDrafts] = useState(noDrafts)
  const refresh = useCallback(async () => {
    const store = getCurrentStore()
    const { newest, older } = store ? await listDrafts(store) : noDrafts
    setDrafts({ newest: newest.filter(isUnsent), older: older.filter(isUnsent) })
  }, [])
  useEffect(() => void refresh(), [refresh])
  return { writes, drafts, refresh: refresh }
}
