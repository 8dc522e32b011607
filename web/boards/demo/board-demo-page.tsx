import { useLayoutEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { getStoredLinkToken, parseLinkToken, storeLinkToken } from '../linked/link-token.ts'
import { LinkedBoardView } from '../linked/linked-board-view.tsx'
import { BoardDemo } from './board-demo.tsx'

/** Public demo board. The token of a `#link=` URL is moved out of the address, which becomes `?shared`. */
export function BoardDemoPage() {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const tokenInHash = parseLinkToken(hash)

  useLayoutEffect(() => {
    if (tokenInHash === undefined) return
    storeLinkToken(tokenInHash)
    void navigate('?shared', { replace: true })
  }, [tokenInHash, navigate])

  if (tokenInHash !== undefined) return null
  if (!query.has('shared')) return <BoardDemo />
  const token = getStoredLinkToken()
  return <LinkedBoardView key={token} token={token} />
}
