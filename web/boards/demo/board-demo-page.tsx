import { useLayoutEffect } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { keepToken, keptToken, tokenIn } from '../linked/link-token.ts'
import { LinkedBoardView } from '../linked/linked-board-view.tsx'
import { BoardDemo } from './board-demo.tsx'

/** Public demo board. The token of a `#link=` URL is moved out of the address, which becomes `?shared`. */
export function BoardDemoPage() {
  const { hash } = useLocation()
  const go = useNavigate()
  const [query] = useSearchParams()
  const brought = tokenIn(hash)

  useLayoutEffect(() => {
    if (brought === undefined) return
    keepToken(brought)
    void go('?shared', { replace: true })
  }, [brought, go])

  if (brought !== undefined) return null
  if (!query.has('shared')) return <BoardDemo />
  const token = keptToken()
  return <LinkedBoardView key={token} token={token} />
}
