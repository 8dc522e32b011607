import { type ReactNode, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { type BoardLayout, boardLayouts, type Frame } from '#contract/boards/boards.ts'
import { type FrameType, frameTypes, getFrameLibrary } from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { getSampleBoard, sampleBoards } from '#contract/samples/sample-boards.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { AnchorButton } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { addFrames, buildFrame } from '../document/board-document.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { BoardPreview } from '../layouts/board-preview.tsx'
import { getStoredLinkToken, LinkedBoardView, parseLinkToken, storeLinkToken } from '../linked/linked-board-view.tsx'

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

const initialActiveTypes: FrameType[] = ['agent_preview', 'dialog', 'config_panel']

const layoutDescriptions: Record<BoardLayout, string> = {
  grid: 'Columns, depending on the number of frames',
  column: 'Stacked vertically',
  row: 'Side by side',
  wizard: 'Step by step',
  focus: 'One large frame, the others next to it',
  canvas: 'Free placement',
}

const frameContext = {
  boardId: 'sample-board-agent',
  entityType: 'agent',
  entityId: demoIds.agent,
  mode: 'sample' as const,
}
const noop = () => {}

/** Sample frames of every type in every layout, without requests. */
export function BoardDemo() {
  const [layout, setLayout] = useState<BoardLayout>('grid')
  const [activeTypes, setActiveTypes] = useState<readonly FrameType[]>(initialActiveTypes)
  const [frames] = useState(createSampleFrames)
  const types = getFrameLibrary(null)
  const { config } = getSampleBoard('agent')

  return (
    <>
      <PageHeader
        title="Board demo"
        subtitle="Try every frame and layout without an account. Nothing is sent or stored."
      />
      <div className="grid grid-cols-[300px_minmax(0,1fr)] items-start gap-6 max-[1100px]:grid-cols-1">
        <div className="grid gap-4 max-[1100px]:grid-cols-2 phone:grid-cols-1!">
          <AuthenticationCard />
          <Card>
            <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Frame types</h2>
            <ul aria-label="Frame types" className="mt-3 grid gap-2.5">
              {types.map((type) => {
                const { name, description, icon } = frameTypes[type]
                const isActive = activeTypes.includes(type)
                return (
                  <li key={type} className="flex items-start gap-2">
                    <Checkbox
                      label={
                        <span className="inline-flex items-center gap-2 font-medium">
                          <FrameIcon name={icon} />
                          {name}
                        </span>
                      }
                      help={description}
                      checked={isActive}
                      onCheckedChange={(isChecked) =>
                        setActiveTypes((previous) =>
                          isChecked ? [...previous, type] : previous.filter((activeType) => activeType !== type),
                        )
                      }
                      className="min-w-0 flex-1"
                    />
                    {isActive && <Badge tone="success">Active</Badge>}
                  </li>
                )
              })}
            </ul>
          </Card>
          <Card>
            <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Layout options</h2>
            <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-ui">
              {boardLayouts.map((layoutOption) => (
                <div key={layoutOption} className="col-span-full grid grid-cols-subgrid">
                  <dt className="font-mono text-code leading-5">{layoutOption}</dt>
                  <dd className="text-muted-foreground">{layoutDescriptions[layoutOption]}</dd>
                </div>
              ))}
            </dl>
          </Card>
        </div>
        <section aria-label="Sample board" className="min-w-0 max-[1100px]:order-first">
          <SegmentedControl
            label="Layout"
            options={boardLayouts.map((value) => ({ value, label: value }))}
            value={layout}
            onValueChange={setLayout}
            className="mb-3"
          />
          <div className="overflow-hidden rounded-lg border border-border">
            <BoardPreview
              config={{ ...config, name: 'Sample board', layout, engagementMode: 'dialogic' }}
              frames={frames.filter(({ data }) => activeTypes.some((type) => type === data.frameType))}
              frameContext={frameContext}
              changeContent={noop}
            />
          </div>
        </section>
      </div>
    </>
  )
}

function createSampleFrames(): Frame[] {
  const sampleBoardFrames = sampleBoards.flatMap(({ frames }) => frames)
  const types = [...new Set([...initialActiveTypes, ...getFrameLibrary(null)])]
  const positions = findFreePositions(
    [],
    types.map((type) => frameTypes[type].size),
  )
  const createdFrames = types.map((type, index) => {
    const sample = sampleBoardFrames.find(({ data }) => data.frameType === type)
    return buildFrame(type, {
      position: positions[index] ?? { x: 0, y: 0 },
      name: sample?.data.name,
      content: sample?.data.content,
      entityType: sample?.entityType,
      entityId: sample?.entityId,
    })
  })
  return [...addFrames(createdFrames)({ config: getSampleBoard('agent').config, frames: [] }).frames]
}

function AuthenticationCard() {
  const { isLoading, isAuthenticated, token, user } = useAuth()
  return (
    <Card>
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Authentication status</h2>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 text-ui">
        <StatusItem name="Loading">{isLoading ? 'Yes' : 'No'}</StatusItem>
        <StatusItem name="Authenticated">
          <Badge tone={isAuthenticated ? 'success' : 'neutral'}>{isAuthenticated ? 'Yes' : 'No'}</Badge>
        </StatusItem>
        <StatusItem name="Token">{token === null ? 'Missing' : 'Present'}</StatusItem>
        <StatusItem name="User">{user ? user.name || user.email : 'None'}</StatusItem>
      </dl>
      {!isAuthenticated && !isLoading && (
        <AnchorButton href="/login?next=%2Fboard-demo" variant="primary" className="mt-4">
          Sign in
        </AnchorButton>
      )}
    </Card>
  )
}

function StatusItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-full grid grid-cols-subgrid items-center">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
