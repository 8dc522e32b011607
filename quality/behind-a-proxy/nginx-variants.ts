export const nginxVariants: Record<string, (block: string) => string> = {
  'as the guide has it': (block) => block,
  'that speaks HTTP/1.0 to Keeper': (block) => block.replace('proxy_http_version 1.1;', 'proxy_http_version 1.0;'),
  'that buffers answers and uploads': (block) =>
    block
      .replace('proxy_buffering off;', 'proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;')
      .replace('proxy_request_buffering off;', ''),
  'that compresses everything again': (block) =>
    block.replace(
      'proxy_buffering off;',
      'proxy_buffering off; gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1; gunzip on;',
    ),
  'that normalizes paths': (block) =>
    block.replace('proxy_pass http://127.0.0.1:3000;', 'proxy_pass http://127.0.0.1:3000/;'),
  'that refuses WebSockets and passes Host': (block) =>
    block.replace(
      'proxy_set_header Host $http_host;',
      'proxy_set_header Host $host; proxy_set_header Connection ""; if ($http_upgrade) { return 426; }',
    ),
}
