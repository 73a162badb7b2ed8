// node sarif.cjs FILE…: is each valid by the public schema of SARIF 2.1.0?
'use strict';
const fs = require('fs');
const Ajv = require('ajv').default;
const formats = require('ajv-formats').default;

const schema = JSON.parse(fs.readFileSync(
  require.resolve('@microsoft/sarif-multitool-linux/sarif-2.1.0.json')));
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
delete schema.$schema; // a draft that ajv has under another name
const valid = ajv.compile(schema);
for (const file of process.argv.slice(2)) {
  const good = valid(JSON.parse(fs.readFileSync(file)));
  if (!good) {
    console.log(file, JSON.stringify(valid.errors, null, 1));
    process.exitCode = 1;
  }
}
