// node valid.cjs sarif|findings FILE…: is each valid by the public schema of
// SARIF 2.1.0, or by doc/findings.schema.json?
'use strict';
const fs = require('fs');
const path = require('path');
const Ajv = require('ajv').default;
const formats = require('ajv-formats').default;

const [kind, ...files] = process.argv.slice(2);
const source = kind === 'sarif'
  ? require.resolve('@microsoft/sarif-multitool-linux/sarif-2.1.0.json')
  : path.join(__dirname, '../../../doc/findings.schema.json');
const schema = JSON.parse(fs.readFileSync(source));
const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
delete schema.$schema; // a draft that ajv has under another name
const valid = ajv.compile(schema);
for (const file of files) {
  const good = valid(JSON.parse(fs.readFileSync(file)));
  if (!good) {
    console.log(file, JSON.stringify(valid.errors, null, 1));
    process.exitCode = 1;
  }
}
