import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { sampleKeeperType } from '#contract/samples/sample-keeper-type.ts'
import { keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { Button } from '#web/ui/controls/button.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { getFrameEntityId } from '../frame-entity.ts'
import { FrameQuery, FrameUnavailable } from '../frame-query.tsx'
import { HiddenFromLink } from '../hidden-from-link.tsx'

interface WithKeeperTypeProps extends FrameBodyProps {
  children: (type: KeeperType, isSample: boolean) => ReactNode
}

export function WithKeeperType({ children, ...props }: WithKeeperTypeProps) {
  const { context, openSettings } = props
  const id = getFrameEntityId('keeper-type', props)
  if (context.mode === 'sample') return children(sampleKeeperType, true)
  return (
    <HiddenFromLink context={context}>
      {id ? (
        <WithKeeperTypeId id={id} openSettings={openSettings}>
          {(type) => children(type, false)}
        </WithKeeperTypeId>
      ) : (
        <FrameNote>
          No keeper type chosen yet.
          {openSettings && (
            <Button size="small" className="mt-2.5" onClick={openSettings}>
              Choose One
            </Button>
          )}
        </FrameNote>
      )}
    </HiddenFromLink>
  )
}

interface WithKeeperTypeIdProps {
  id: string
  openSettings: (() => void) | undefined
  children: (type: KeeperType) => ReactNode
}

function WithKeeperTypeId({ id, openSettings, children }: WithKeeperTypeIdProps) {
  const query = useQuery(keeperTypesQuery)
  return (
    <FrameQuery query={query} entityName="keeper type">
      {(types) => {
        const type = types.find((candidate) => candidate.id === id || candidate.slug === id)
        return type ? children(type) : <FrameUnavailable entityName="keeper type" onChooseAnother={openSettings} />
      }}
    </FrameQuery>
  )
}
