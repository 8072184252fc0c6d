process.stdout.write('ready\n');
