import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { agents } from '#contract/agents/agents.ts'
import { firstCharacters } from '#contract/first-characters.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSample } from '#contract/keepers/sample-keeper.ts'
import { call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { quietLink } from '#web/ui/quiet-link.ts'
import { metadataAddress } from '../keeper-addresses.ts'
import { isSampleKeeper } from '../samples/sample-keepers.ts'

/** One step to an agent that is given this keeper: its scope is the keeper, and the keeper's type is assigned to it. */
export function KnowingAgent({ keeper }: { keeper: Keeper }) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [told, setTold] = useState('')
  const { title, keeperTypeId } = keeper

  async function make(keeperTypeId: string) {
    setBusy(true)
    setTold('')
    try {
      const made = await call(agents.create, {
        body: {
          name: firstCharacters(`${title} companion`, 100),
          purpose: `You know what its person keeps in “${title}”. Answer from it, cite it, and say so when it holds nothing about a question.`,
          context_scope: 'keeper',
          memory_enabled: true,
        },
      })
      await call(keeperTypes.assign, { params: { agentId: made.id, keeperTypeId } })
      navigate(`/studio/agents/${encodeURIComponent(made.id)}`)
    } catch (reason) {
      setTold(reason instanceof Error ? reason.message : String(reason))
      setBusy(false)
    }
  }

  if (isSampleKeeper(keeper.id) || isSample(keeper)) return null
  return (
    <section aria-labelledby="knowing-agent">
      <h2 id="knowing-agent" className="font-sans text-ui font-semibold tracking-normal">
        Ask somebody who knows it
      </h2>
      <p className="mt-1 mb-2.5 text-ui text-muted-foreground">
        An agent is given what you approved and kept here, and says where it has it from. Nothing marked “Not for AI”
        reaches it.
      </p>
      {keeperTypeId ? (
        <Button
          size="small"
          icon={<Sparkles aria-hidden size={14} />}
          busy={busy}
          busyLabel="Making..."
          onClick={() => make(keeperTypeId)}
        >
          Make an agent for this keeper
        </Button>
      ) : (
        <Link to={metadataAddress(keeper.id)} className={quietLink}>
          Give this keeper a type first
        </Link>
      )}
      <p role="alert" className="mt-2 text-ui font-medium text-destructive empty:hidden">
        {told}
      </p>
    </section>
  )
}
