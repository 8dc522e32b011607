import { useCallback, useEffect, useState } from 'react'
import { type DraftRecord, keptDrafts } from './draft-keeper.ts'
import { isUnsent } from './is-unsent.ts'
import { usePendingWrites } from './use-pending-writes.ts'
import { ownVault } from './vault.ts'

interface KeptDrafts {
  newest: DraftRecord[]
  older: DraftRecord[]
}

const noDrafts: KeptDrafts = { newest: [], older: [] }

/** Unsent work in this browser; `refresh` rereads the drafts. */
export function useKeptWork() {
  const writes = usePendingWrites()
  const [drafts, setDrafts] = useState(noDrafts)
  const look = useCallback(async () => {
    const vault = ownVault()
    const { newest, older } = vault ? await keptDrafts(vault) : noDrafts
    setDrafts({ newest: newest.filter(isUnsent), older: older.filter(isUnsent) })
  }, [])
  useEffect(() => void look(), [look])
  return { writes, drafts, look }
}
