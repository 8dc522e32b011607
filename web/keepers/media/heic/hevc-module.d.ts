declare module '@hevcjs/wasm/hevc-decode.js' {
  const createDecoderModule: (options: Record<string, unknown>) => Promise<unknown>
  export default createDecoderModule
}
