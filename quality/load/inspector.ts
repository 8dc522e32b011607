export interface HeapStats {
  heapBytes: number
  codeBytes: number
  bufferBytes: number
  timers: number
  sockets: number
}

type InspectorReply = Record<string, unknown>

export class Inspector {
  readonly #socket: WebSocket
  readonly #pending = new Map<number, { resolve(answer: InspectorReply): void; reject(error: Error): void }>()
  readonly #workers = new Set<string>()
  #lastId = 0
  #chunks: string[] = []

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)))
  }

  static async open(port: number): Promise<Inspector> {
    const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      webSocketDebuggerUrl: string
    }[]
    if (!target) throw new Error('no debugger target')
    const socket = new WebSocket(target.webSocketDebuggerUrl)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = () => reject(new Error("can't connect to the debugger"))
    })
    const inspector = new Inspector(socket)
    await inspector.#send('NodeWorker.enable', { waitForDebuggerOnStart: false })
    return inspector
  }

  async measureHeap(): Promise<HeapStats> {
    const threads = [undefined, ...this.#workers]
    const heaps = await Promise.all(threads.map((worker) => this.#collectAndMeasureHeap(worker)))
    const codes = await Promise.all(threads.map((worker) => this.#measureCompiledCode(worker)))
    const codeBytes = codes.reduce((total, bytes) => total + bytes, 0)
    const { result } = (await this.#send('Runtime.evaluate', {
      expression: `(() => {
        const kinds = process.getActiveResourcesInfo()
        const count = (kind) => kinds.filter((resource) => resource === kind).length
        return { bufferBytes: process.memoryUsage().arrayBuffers, timers: count('Timeout'), sockets: count('TCPSocketWrap') }
      })()`,
      returnByValue: true,
    })) as { result: { value: Omit<HeapStats, 'heapBytes' | 'codeBytes'> } }
    return { heapBytes: heaps.reduce((total, bytes) => total + bytes, 0), codeBytes, ...result.value }
  }

  /** Every string reachable in all threads after garbage collection, without those in buffers. */
  async readStrings(): Promise<Set<string>> {
    const all = new Set<string>()
    for (const worker of [undefined, ...this.#workers]) {
      await this.#collectAndMeasureHeap(worker)
      this.#chunks = []
      await this.#send('HeapProfiler.takeHeapSnapshot', { reportProgress: false }, worker)
      for (const text of (JSON.parse(this.#chunks.join('')) as { strings: string[] }).strings) all.add(text)
      this.#chunks = []
    }
    return all
  }

  close(): void {
    this.#socket.close()
  }

  async #collectAndMeasureHeap(worker: string | undefined): Promise<number> {
    // Twice, because objects with finalizers are freed only by the second.
    for (let round = 0; round < 2; round++) await this.#send('HeapProfiler.collectGarbage', {}, worker)
    const { usedSize } = await this.#send('Runtime.getHeapUsage', {}, worker)
    return Number(usedSize)
  }

  async #measureCompiledCode(worker: string | undefined): Promise<number> {
    const { result } = (await this.#send(
      'Runtime.evaluate',
      {
        expression: `process.getBuiltinModule('v8').getHeapSpaceStatistics()
          .filter(({ space_name }) => /^(code|trusted)_/.test(space_name))
          .reduce((total, { space_used_size }) => total + space_used_size, 0)`,
        returnByValue: true,
      },
      worker,
    )) as { result: { value: number } }
    return result.value
  }

  #send(method: string, params: InspectorReply, worker?: string): Promise<InspectorReply> {
    const id = ++this.#lastId
    const message = { id, method, params }
    const answered = new Promise<InspectorReply>((resolve, reject) => this.#pending.set(id, { resolve, reject }))
    if (worker === undefined) this.#socket.send(JSON.stringify(message))
    else {
      const wrapped = { sessionId: worker, message: JSON.stringify(message) }
      this.#socket.send(
        JSON.stringify({ id: ++this.#lastId, method: 'NodeWorker.sendMessageToWorker', params: wrapped }),
      )
    }
    return answered
  }

  #receive(message: {
    id?: number
    method?: string
    params?: InspectorReply
    result?: InspectorReply
    error?: { message: string }
  }): void {
    const { id, method, params = {} } = message
    if (method === 'NodeWorker.attachedToWorker') this.#workers.add(String(params.sessionId))
    if (method === 'NodeWorker.detachedFromWorker') this.#workers.delete(String(params.sessionId))
    if (method === 'HeapProfiler.addHeapSnapshotChunk') this.#chunks.push(String(params.chunk))
    if (method === 'NodeWorker.receivedMessageFromWorker') this.#receive(JSON.parse(String(params.message)))
    const pending = id === undefined ? undefined : this.#pending.get(id)
    if (id === undefined || !pending) return
    this.#pending.delete(id)
    if (message.error) pending.reject(new Error(message.error.message))
    else pending.resolve(message.result ?? {})
  }
}
