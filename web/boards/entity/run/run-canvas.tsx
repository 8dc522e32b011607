import '../../canvas/canvas.css'
import './run-board.css'
import {
  type Edge,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react'
import { Maximize, Minus, Plus } from 'lucide-react'
import { memo, useEffect, useMemo, useRef } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { CanvasGrid } from '../../canvas/canvas-grid.tsx'
import { useCanvasScrolling } from '../../canvas/canvas-scrolling.ts'
import { RunAgentFrame } from './run-agent-frame.tsx'
import type { RunAgent, RunAgentSnapshot } from './run-agents.ts'
import { layOutRunAgents, runFrameSize, shouldGrowRight } from './run-tree.ts'

type AgentNode = Node<{ agent: RunAgent; hasHiddenContent: boolean }, 'agent'>
const nodeTypes = {
  agent: memo(({ data }: NodeProps<AgentNode>) => (
    <RunAgentFrame agent={data.agent} hasHiddenContent={data.hasHiddenContent} />
  )),
}

interface RunCanvasProps {
  agents: readonly RunAgent[]
  snapshots: ReadonlyMap<string, RunAgentSnapshot>
  hasHiddenContent: boolean
}

export function RunCanvas(props: RunCanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas({ agents, snapshots, hasHiddenContent }: RunCanvasProps) {
  const flow = useReactFlow()
  const surface = useRef<HTMLElement>(null)
  useCanvasScrolling(surface, false)
  const nodes = useMemo(() => toNodes(agents, hasHiddenContent), [agents, hasHiddenContent])
  const edges = agents.flatMap((agent) => toEdge(agent, snapshots.get(agent.id)) ?? [])
  const agentCount = agents.length
  // Another agent joined: fit them all again.
  useEffect(() => {
    if (agentCount > 0) void flow.fitView(fitViewOptions)
  }, [agentCount, flow])
  return (
    <section
      ref={surface}
      aria-label="Agents of the run"
      className="canvas-surface relative isolate size-full overflow-hidden"
    >
      <CanvasGrid />
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        fitView
        fitViewOptions={fitViewOptions}
        minZoom={0.1}
        maxZoom={4}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        panActivationKeyCode={null}
        panOnScroll
        zoomOnDoubleClick={false}
        proOptions={proOptions}
      />
      <div
        role="toolbar"
        aria-label="View of the run"
        className="absolute start-4 bottom-4 z-10 flex gap-0.5 rounded-lg border border-border bg-popover p-1 shadow-e2"
      >
        <IconButton label="Zoom out" onClick={() => void flow.zoomOut()}>
          <Minus aria-hidden size={16} />
        </IconButton>
        <IconButton label="Zoom in" onClick={() => void flow.zoomIn()}>
          <Plus aria-hidden size={16} />
        </IconButton>
        <IconButton label="Fit all agents" onClick={() => void flow.fitView(fitViewOptions)}>
          <Maximize aria-hidden size={15} />
        </IconButton>
      </div>
    </section>
  )
}

const proOptions = { hideAttribution: true }
const fitViewOptions = { padding: 0.12, maxZoom: 1 } as const

function toNodes(agents: readonly RunAgent[], hasHiddenContent: boolean): AgentNode[] {
  const positions = layOutRunAgents(agents)
  const { width, height } = runFrameSize
  const [target, source] = shouldGrowRight(agents)
    ? [
        { position: Position.Left, x: 0, y: height / 2 },
        { position: Position.Right, x: width, y: height / 2 },
      ]
    : [
        { position: Position.Top, x: width / 2, y: 0 },
        { position: Position.Bottom, x: width / 2, y: height },
      ]
  return agents.map((agent) => ({
    id: agent.id,
    type: 'agent',
    position: positions.get(agent.id) ?? { x: 0, y: 0 },
    data: { agent, hasHiddenContent },
    width,
    height,
    measured: { width, height },
    handles: [
      { type: 'target', width: 1, height: 1, ...target },
      { type: 'source', width: 1, height: 1, ...source },
    ],
  }))
}

function toEdge({ id, callerId }: RunAgent, snapshot: RunAgentSnapshot | undefined): Edge | undefined {
  if (callerId === null) return undefined
  const hasStarted = snapshot !== undefined && snapshot.activity !== 'Not started'
  const isOpen = hasStarted && (snapshot.state === 'running' || snapshot.state === 'waiting')
  const finishedClass = hasStarted && `run-line-${snapshot.state}`
  const className = classNames('run-line', isOpen ? 'run-line-open' : finishedClass)
  return { id: `${callerId} ${id}`, source: callerId, target: id, type: 'smoothstep', className }
}
